/** What pages do: filter the rows of tables, copy commands. Without it everything is there and readable. */

export const SCRIPT = `
for(const box of document.querySelectorAll('input[data-rows]')){
 const body=document.getElementById(box.dataset.rows),count=document.getElementById(box.dataset.rows+'-count'),rows=[...body.rows];
 let texts;
 box.addEventListener('input',()=>{texts??=rows.map(row=>row.textContent.toLowerCase());const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);let n=0;
  rows.forEach((row,k)=>{const fits=words.every(word=>texts[k].includes(word));row.hidden=!fits;if(fits)n++});
  count.textContent=n+' of '+rows.length});
}
for(const button of document.querySelectorAll('button[data-copy]')){
 button.hidden=false;
 button.addEventListener('click',async()=>{const source=document.getElementById(button.dataset.copy);
  try{await navigator.clipboard.writeText(source.textContent);button.textContent='Copied'}
  catch{const range=document.createRange();range.selectNodeContents(source);const chosen=getSelection();chosen.removeAllRanges();chosen.addRange(range);button.textContent='Selected: press Ctrl+C'}});
}
`.trim();

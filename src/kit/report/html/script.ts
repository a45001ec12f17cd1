/** What pages do: sort, filter and fold rows, copy commands and exact amounts. Without it all is readable. */

export const SCRIPT = `
const FIRST=20,make=(tag,text)=>{const one=document.createElement(tag);one.textContent=text;if(tag==='button')one.type='button';return one};
/* What a cell is sorted by: its last amount (after the plan, where there is one before), else its text. */
const keyOf=(cell)=>{const amount=[...cell.querySelectorAll('data')].pop();
 const text=amount?amount.value:cell.textContent.trim(),number=parseFloat(text.replace(/,/g,''));return amount||/^-?\\d[\\d.,]*$/.test(text)?number:text};
const compare=(a,b)=>typeof a===typeof b?(typeof a==='number'?a-b:a.localeCompare(b,'en',{numeric:true})):typeof a==='number'?1:-1;
for(const box of document.querySelectorAll('.rows')){
 const body=box.querySelector('tbody'),written=[...body.rows],rows=written.filter((row)=>!row.className);
 const input=box.querySelector('input'),kind=box.querySelector('select'),count=box.querySelector('output'),more=box.querySelector('.more');
 const whys=new Map();
 written.forEach((row,k)=>{if(row.className==='why')whys.set(written[k-1],row)});
 let order=rows,isAll=false,texts;
 const show=()=>{
  const words=input?input.value.toLowerCase().split(/\\s+/).filter(Boolean):[];
  if(words.length)texts??=new Map(rows.map((row)=>[row,(row.textContent+(whys.get(row)?.textContent??'')).toLowerCase()]));
  const fitting=order.filter((row)=>words.every((word)=>texts.get(row).includes(word))&&(!kind?.value||row.dataset.is?.split(',').includes(kind.value)));
  const shown=new Set(isAll?fitting:fitting.slice(0,FIRST));
  for(const row of rows){row.hidden=!shown.has(row);const why=whys.get(row);if(why)why.hidden=row.hidden||row.lastElementChild.firstChild.ariaExpanded!=='true'}
  let head=null;
  for(const row of written)if(row.className==='head'){head=row;row.hidden=true}else if(head&&order===rows&&shown.has(row))head.hidden=false;
  if(count)count.textContent=shown.size+' of '+rows.length;
  more.hidden=fitting.length<=FIRST;more.textContent=isAll?'Show the first '+FIRST:'Show all '+fitting.length;
 };
 for(const row of whys.keys()){const button=make('button','Why');button.ariaExpanded='false';button.setAttribute('aria-label','Why: '+row.querySelector('th').textContent);
  button.addEventListener('click',()=>{button.ariaExpanded=String(button.ariaExpanded!=='true');show()});row.lastElementChild.append(button)}
 const heads=[...box.querySelectorAll('thead th')];
 if(rows.length>1)heads.forEach((head,k)=>{if(k===heads.length-1&&whys.size)return;
  const button=make('button',head.textContent),isNumeric=head.className==='n';head.replaceChildren(button);
  button.addEventListener('click',()=>{const first=isNumeric?'descending':'ascending',second=isNumeric?'ascending':'descending',was=head.ariaSort;
   for(const other of heads)other.ariaSort=null;
   head.ariaSort=was===first?second:was===second?null:first;
   const sign=head.ariaSort==='descending'?-1:1,keys=new Map(rows.map((row)=>[row,keyOf(row.cells[k])]));
   order=head.ariaSort?[...rows].sort((a,b)=>sign*compare(keys.get(a),keys.get(b))):rows;
   body.replaceChildren(...(head.ariaSort?order.flatMap((row)=>[row,whys.get(row)??[]].flat()):written));show()})});
 input?.addEventListener('input',show);kind?.addEventListener('change',show);
 more.addEventListener('click',()=>{isAll=!isAll;show();if(!isAll)box.scrollIntoView({block:'nearest'})});
 if(input)input.parentElement.hidden=false;
 show();
}
for(const button of document.querySelectorAll('button[data-copy]')){
 button.hidden=false;
 button.addEventListener('click',async()=>{const source=document.getElementById(button.dataset.copy);
  try{await navigator.clipboard.writeText(source.textContent);button.textContent='Copied'}
  catch{const range=document.createRange();range.selectNodeContents(source);const chosen=getSelection();chosen.removeAllRanges();chosen.addRange(range);button.textContent='Selected: press Ctrl+C'}});
}
document.addEventListener('mouseover',(event)=>{const amount=event.target.closest?.('data');if(amount)amount.title=amount.value});
/* Amounts are copied as they are, not as they are shown. */
document.addEventListener('copy',(event)=>{
 const chosen=getSelection();if(!chosen.rangeCount||chosen.isCollapsed)return;
 const range=chosen.getRangeAt(0),node=range.commonAncestorContainer,inside=(node.closest?node:node.parentElement).closest('data'),part=make('div','');
 if(inside)part.append(inside.cloneNode(true));else part.append(range.cloneContents());
 if(!part.querySelector('data'))return;
 for(const one of part.querySelectorAll('[hidden],svg'))one.remove();
 for(const one of part.querySelectorAll('data'))one.textContent=one.value;
 for(const one of part.querySelectorAll('td+td,th+td,td+th,th+th'))one.before('\\t');
 for(const one of part.querySelectorAll('tr,p,li,dt,dd'))one.append('\\n');
 event.clipboardData.setData('text/plain',part.textContent.trim());event.preventDefault();
});
`.trim();

/**
 * How pages look: light or dark as the reader's system is, black on white on paper. Colours keep their
 * contrast, and say nothing that the text does not say as well. Parts out of sight are laid out when they
 * come into sight. Tables that are wider than the window show a shadow at the side where they go on.
 */

export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--shade:#1b1f2440;--before:#6e7883;--after:#0b62c4;--kept:#b35900;--free:#e3e8ee;--good:#1a7f37;--bad:#c2232d}
@media (prefers-color-scheme:dark){:root{--paper:#0f1318;--ink:#e6edf3;--soft:#9aa6b2;--line:#30363d;--panel:#171c23;--shade:#9aa6b280;--before:#8994a1;--after:#58a6ff;--kept:#f0a04b;--free:#262d36;--good:#56d364;--bad:#ff7b72}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:100rem;padding:0 1.25rem 3rem;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;align-items:baseline;padding:.7rem 0 .5rem;border-bottom:1px solid var(--line)}
h1{font-size:1.35rem;margin:0}h2{font-size:1.2rem;margin:1.6rem 0 .5rem}h3{font-size:1.02rem;margin:1.1rem 0 .4rem}
nav{display:flex;flex-wrap:wrap;gap:.1rem 1rem}a{color:var(--after);text-underline-offset:.2em}nav a{text-decoration:none;padding:.15rem 0}nav a:hover{text-decoration:underline}
section{content-visibility:auto;contain-intrinsic-size:auto 40rem}
p{margin:.4rem 0}.soft,small{color:var(--soft)}small{font-size:.85em}data{cursor:help}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:.8rem;margin:.9rem 0}
.cards div{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.6rem .9rem .7rem}
dt{color:var(--soft);font-size:.9rem}dd{margin:.15rem 0 0;overflow-wrap:anywhere}.answer{font-size:1.5rem;line-height:1.25;font-weight:650;margin-bottom:.35rem}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,max(20rem,30%)),1fr));gap:.4rem 1.5rem;margin-top:1rem}figure{margin:.5rem 0;min-width:0}figcaption{font-weight:600;margin-bottom:.2rem}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:linear-gradient(90deg,var(--paper) 30%,transparent) 0 0/3rem 100%,linear-gradient(270deg,var(--paper) 30%,transparent) 100% 0/3rem 100%,linear-gradient(90deg,var(--shade),transparent) 0 0/1rem 100%,linear-gradient(270deg,var(--shade),transparent) 100% 0/1rem 100%;background-repeat:no-repeat;background-attachment:local,local,scroll,scroll}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem;border-bottom:1px solid var(--line);overflow-wrap:break-word}
tbody tr:last-child>*{border-bottom:0}thead th{font-size:.88rem;color:var(--soft);vertical-align:bottom}thead button{border:0;background:none;padding:0;font:inherit;font-weight:600;color:inherit;text-align:inherit}
thead button::after{content:'\\2195';margin-left:.3em;opacity:.55}[aria-sort=ascending] button::after{content:'\\2191';opacity:1}[aria-sort=descending] button::after{content:'\\2193';opacity:1}
tbody th{font-weight:600}th,td,.line{white-space:nowrap}.n{text-align:right;width:1%}.t{min-width:11rem}.t,.why td{white-space:normal}
.head th{background:var(--panel);font-weight:400}.why td{padding-left:1.6rem;background:var(--panel)}td>button{padding:0 .5rem}button[aria-expanded=true]{background:var(--after);color:var(--paper);border-color:var(--after)}
.good{color:var(--good)}.bad{color:var(--bad)}
.filter{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.5rem 0}[hidden]{display:none}
input,button,select,textarea{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:6px;padding:.25rem .6rem;max-width:100%}
button{cursor:pointer;background:var(--panel)}.more{margin-top:.5rem}
:focus-visible{outline:3px solid var(--after);outline-offset:1px}.wide:focus-visible,pre:focus-visible{outline-offset:-3px}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.7rem;overflow:auto;max-height:32rem;margin:.4rem 0}
ul{margin:.2rem 0;padding-left:1.1rem}
svg{display:block;max-width:100%;height:auto}.chart{width:100%;max-width:40rem}.grid{stroke:var(--line)}.axis{stroke:var(--soft)}
svg text{fill:var(--soft);font:12px system-ui,sans-serif}.chart .name{font-size:11.5px}.chart .label{fill:var(--ink);stroke:var(--paper);stroke-width:3px;paint-order:stroke}.chart .label.picked{font-weight:700}
.curve{fill:none;stroke:var(--after);stroke-width:2;stroke-linejoin:round}.point{fill:var(--after)}.point.picked{fill:var(--kept);stroke:var(--paper);stroke-width:2}
.bars{min-width:7rem}.bar{width:100%;height:.5rem}.two .bar{height:1.1rem}.bars small{white-space:nowrap}
.before{fill:var(--before)}.after{fill:var(--after)}.kept{fill:var(--kept);stroke:var(--paper);vector-effect:non-scaling-stroke}.free{fill:var(--free)}
.key{display:inline-block;width:.9em;height:.9em;border-radius:2px;vertical-align:-1px;margin:0 .3rem 0 .9rem}.key:first-child{margin-left:0}
.key.before{background:var(--before)}.key.after{background:var(--after)}.key.kept{background:var(--kept)}.key.free{background:var(--free)}
@media (max-width:40rem){body{padding:0 .7rem 2rem}th,td{padding:.2rem .4rem}.bars{min-width:5.5rem}tbody th[scope=row]{position:sticky;left:0;background:var(--paper);min-width:6rem;max-width:9.5rem;white-space:normal;overflow-wrap:anywhere}tbody th .line{white-space:normal}}
@media print{section{content-visibility:visible}:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--line:#999;--panel:#fff;--before:#777;--after:#0b62c4;--kept:#b35900;--free:#ddd;--good:#1a7f37;--bad:#c2232d}
body{max-width:none;font-size:10pt;padding:0}nav,.filter>:not(output),button.more,button[data-copy],table:has(.why) tr:not([class])>:last-child,thead button::after{display:none}.cards{grid-template-columns:1fr 1fr}.wide{overflow:visible;border:0;background:none}pre{max-height:none;white-space:pre-wrap}tr,figure,.cards div{break-inside:avoid}h2,h3{break-after:avoid}
.key,rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}th,td{padding:.15rem .3rem}th,td,.line,.bars small{white-space:normal}td.n{white-space:nowrap}tbody th,td:not(.n){max-width:6.2rem}tbody th{overflow-wrap:anywhere}tr[class]>*{max-width:none!important}.filter{margin:0}output::after{content:' are printed'}.bars{min-width:4rem}.t{min-width:6rem}}
`.trim();

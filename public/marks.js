// Marks in a finished answer the sentences that no source carries, or not all of it, and mended citations.
// What they are stands in the data of the sources below the answer (public/elements/Sources.jsx).
(function () {
  // Markdown's own signs are not in the page, and brackets may have become something else.
  const SIGN = /[\s\u2060*_~#>|\\[\]()`\-]/;
  const SKIP = 'button, pre, .yj-sources, .yj-asked, .yj-mark, .yj-repaired';

  // The words of a message, without signs, each with its place in the page.
  function letters(message) {
    const walker = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
    const places = [];
    let text = '';
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest(SKIP)) continue;
      for (let at = 0; at < node.data.length; at += 1) {
        if (SIGN.test(node.data[at])) continue;
        text += node.data[at];
        places.push([node, at]);
      }
    }
    return { text, places };
  }

  // What a sentence takes of each text node: [node, start, end), in order.
  function pieces(places) {
    const found = [];
    for (const [node, at] of places) {
      const last = found[found.length - 1];
      if (last && last[0] === node) last[2] = at + 1;
      else found.push([node, at, at + 1]);
    }
    return found;
  }

  function opened(sources, one) {
    const card = one.passage >= 0 && sources.querySelector(`[data-passage="${one.passage}"]`);
    const line = sources.querySelector(`[data-line="${one.line}"]`);
    if (card) card.click();
    else if (line) {
      line.scrollIntoView({ block: 'center' });
      line.focus();
    }
  }

  function marked([node, start, end], one, sources, isFirst) {
    const span = document.createElement('span');
    span.className = `yj-mark yj-mark-${one.verdict}`;
    span.title = one.label;
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    range.surroundContents(span);
    const open = () => {
      span.focus();
      opened(sources, one);
    };
    span.addEventListener('click', open);
    if (!isFirst) return span;
    span.tabIndex = 0;
    span.setAttribute('role', 'button');
    span.setAttribute('aria-label', `${span.textContent} (${one.label})`);
    span.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      open();
    });
    return span;
  }

  function mended(last, one) {
    const note = document.createElement('span');
    note.className = 'yj-repaired';
    note.textContent = '↻';
    note.title = one.repaired;
    note.setAttribute('role', 'img');
    note.setAttribute('aria-label', one.repaired);
    // Behind the numbers of the sentence, where they follow it.
    let before = last;
    for (let next = last.nextSibling; next; next = next.nextSibling) {
      if (next.nodeType === Node.TEXT_NODE && !next.data.trim()) continue;
      if (!next.classList || !next.classList.contains('yj-chip')) break;
      before = next;
    }
    // Nothing may part it from its sentence at the end of a line.
    before.after('\u2060', note);
  }

  // From the last to the first, so that the places of those before stay true.
  function markAll(message, sources, wanted) {
    const { text, places } = letters(message);
    let from = 0;
    const found = [];
    for (const one of wanted) {
      const words = one.sentence.split('').filter((char) => !SIGN.test(char)).join('');
      const at = words ? text.indexOf(words, from) : -1;
      if (at < 0) continue;
      from = at + words.length;
      found.push([one, pieces(places.slice(at, from))]);
    }
    for (const [one, parts] of found.reverse()) {
      let last = parts[parts.length - 1][0];
      for (let at = parts.length - 1; at >= 0; at -= 1) {
        if (one.verdict) {
          const span = marked(parts[at], one, sources, at === 0);
          if (at === parts.length - 1) last = span;
        } else if (at === parts.length - 1) {
          last = parts[at][0].splitText(parts[at][2]).previousSibling;
        }
      }
      if (one.repaired) mended(last, one);
    }
  }

  document.addEventListener('yj-chips', () => {
    for (const sources of document.querySelectorAll('.yj-sources[data-marks]')) {
      const message = sources.closest('.ai-message');
      // React draws a message anew when the page's layout changes, and the marks are gone.
      if (message && !message.querySelector('.yj-mark, .yj-repaired')) {
        markAll(message, sources, JSON.parse(sources.dataset.marks));
      }
    }
  });
})();

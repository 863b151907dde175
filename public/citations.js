// Turns the "[n]" marks of finished answers into small buttons that open the card of the same number.
(function () {
  const MARK = /\[(\d{1,3})\]/g;
  const SKIP = 'code, pre, button, a, .yj-sources';

  function cardOf(node, number) {
    const step = node.closest('.ai-message, [data-step-type]') || document;
    const near = step.parentElement || step;
    return (
      near.querySelector(`[data-cite="${number}"]`) ||
      [...document.querySelectorAll(`[data-cite="${number}"]`)].pop()
    );
  }

  function chip(number) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'yj-chip';
    button.textContent = number;
    button.setAttribute('aria-label', `[${number}]`);
    button.addEventListener('click', () => {
      const card = cardOf(button, number);
      // Not every browser gives a clicked button the focus, which the panel gives back to it.
      button.focus();
      if (card) card.click();
    });
    return button;
  }

  function mark(message) {
    const walker = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      MARK.lastIndex = 0;
      if (MARK.test(node.data) && !node.parentElement.closest(SKIP)) found.push(node);
    }
    for (const node of found) {
      const parts = document.createDocumentFragment();
      let end = 0;
      for (const match of node.data.matchAll(MARK)) {
        if (!cardOf(node.parentElement, match[1])) continue;
        parts.append(node.data.slice(end, match.index), chip(match[1]));
        end = match.index + match[0].length;
      }
      if (!end) continue;
      parts.append(node.data.slice(end));
      node.replaceWith(parts);
    }
  }

  let timer = 0;
  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // While an answer grows, React owns its nodes.
      if (document.querySelector('#stop-button')) return later();
      document.querySelectorAll('.ai-message').forEach(mark);
      document.dispatchEvent(new Event('yj-chips'));
    }, 150);
  }
  new MutationObserver(later).observe(document.documentElement, { childList: true, subtree: true });
})();

// What the panel beside the chat does with the page around it: whom it gives the focus back to, the clipboard,
// its closing. Passage.jsx and Sources.jsx call it, as elements cannot share code otherwise.
window.youjuPanel = (function () {
  let opened = {};

  function remember(answerId, passage) {
    opened = { node: document.activeElement, answerId, passage };
  }

  // What opened the panel; its message may have been drawn anew since.
  function opener() {
    const { node, answerId, passage } = opened;
    if (!node || node.isConnected) return node;
    const sources = document.querySelector(`.yj-sources[data-answer="${answerId}"]`);
    const card = sources && sources.querySelector(`[data-passage="${passage}"]`);
    if (!card || node.classList.contains('yj-card')) return card;
    const chips = [...sources.closest('.ai-message').querySelectorAll('.yj-chip')];
    return chips.find((chip) => chip.textContent === card.dataset.cite);
  }

  // When the panel was closed and not merely turned over. The numbers in the text come a little later.
  function giveBack(tries = 8) {
    if (document.querySelector('#citation-panel') || document.activeElement !== document.body) return;
    const target = opener();
    if (target) target.focus();
    if (tries && document.activeElement === document.body) setTimeout(() => giveBack(tries - 1), 100);
  }

  // Without a secure address browsers lend no clipboard: then the old way.
  async function copy(words) {
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      const area = document.createElement('textarea');
      area.value = words;
      area.style.position = 'fixed';
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
  }

  function close() {
    const button = document.querySelector('div#side-view-title button');
    if (button) button.click();
  }

  const TYPED_IN = 'input, textarea, select, [contenteditable=""], [contenteditable="true"]';

  // Whether a key is meant for the panel: not for a field, a menu or another dialog.
  function isMeant(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return false;
    if (event.target.closest && event.target.closest(TYPED_IN)) return false;
    const dialog = document.querySelector('[role=dialog], [role=menu], [role=listbox]');
    return !dialog || Boolean(dialog.querySelector('#citation-panel'));
  }

  return { remember, giveBack, copy, close, isMeant };
})();

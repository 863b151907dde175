// What the other scripts share: drawing again when the page has changed, and hearing what the server tells the window.
window.youjuPage = (function () {
  // At most once a frame, whatever has changed.
  function onChange(draw) {
    let waiting = false;
    new MutationObserver(() => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        draw();
      });
    }).observe(document.documentElement, { childList: true, subtree: true });
  }

  // Other windows may say what they like.
  function onTold(type, hear) {
    window.addEventListener('message', (event) => {
      if (event.source === window && event.data && event.data.type === type) hear(event.data);
    });
  }

  return { onChange, onTold };
})();

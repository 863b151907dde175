// What the knowledge base holds, below the logo of the start page.
(function () {
  let lines = null;
  let asking = false;

  async function ask() {
    asking = true;
    try {
      const reply = await fetch('/start.json', { headers: { accept: 'application/json' } });
      lines = reply.ok ? (await reply.json()).lines : [];
    } catch {
      lines = [];
    }
    asking = false;
    show();
  }

  function show() {
    const page = document.querySelector('#welcome-screen');
    if (!page) {
      // What was true then may not be when the page comes back.
      lines = null;
      return;
    }
    if (page.querySelector('.yj-start')) return;
    if (lines === null) {
      if (!asking) ask();
      return;
    }
    const box = document.createElement('div');
    box.className = 'yj-start';
    for (const line of lines) {
      const paragraph = document.createElement('p');
      paragraph.textContent = line;
      box.append(paragraph);
    }
    page.append(box);
  }

  let waiting = false;
  new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      show();
    });
  }).observe(document.documentElement, { childList: true, subtree: true });
})();

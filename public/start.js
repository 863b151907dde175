// What a new chat is about, below the logo of the start page; the server tells it.
(function () {
  let told = null;

  function lines() {
    const box = document.createElement('div');
    box.className = 'yj-start';
    box.setAttribute('role', 'status');
    for (const line of told) {
      const paragraph = document.createElement('p');
      paragraph.textContent = line;
      box.append(paragraph);
    }
    return box;
  }

  function draw() {
    const page = document.querySelector('#welcome-screen');
    if (page && told && !page.querySelector('.yj-start')) page.append(lines());
  }

  window.addEventListener('message', (event) => {
    if (event.source !== window || !event.data || event.data.type !== 'youju_start') return;
    told = event.data.lines;
    const drawn = document.querySelector('.yj-start');
    if (drawn) drawn.remove();
    draw();
  });
  let waiting = false;
  new MutationObserver(() => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }).observe(document.documentElement, { childList: true, subtree: true });
})();

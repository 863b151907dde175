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

  window.youjuPage.onTold('youju_start', (message) => {
    told = message.lines;
    const drawn = document.querySelector('.yj-start');
    if (drawn) drawn.remove();
    draw();
  });
  window.youjuPage.onChange(draw);
})();

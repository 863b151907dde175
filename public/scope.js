// The line above the composer that says what is searched; the server tells it, "Clear" tells the server.
(function () {
  let told = null;

  function line() {
    const box = document.createElement('div');
    box.id = 'yj-scope-line';
    box.setAttribute('role', 'status');
    const words = document.createElement('span');
    words.textContent = told.scope + told.line;
    words.title = told.line;
    const clear = document.createElement('button');
    clear.type = 'button';
    clear.className = 'yj-link';
    clear.textContent = told.scope_clear;
    clear.addEventListener('click', () => {
      window.postMessage({ type: 'youju_clear_scope', key: told.key }, window.location.origin);
    });
    box.append(words, clear);
    return box;
  }

  function draw() {
    const composer = document.querySelector('#message-composer');
    const drawn = document.querySelector('#yj-scope-line');
    if (!composer || !told || !told.line) {
      if (drawn) drawn.remove();
    } else if (!drawn || drawn.nextElementSibling !== composer) {
      if (drawn) drawn.remove();
      composer.before(line());
    }
  }

  window.youjuPage.onTold('youju_scope', (message) => {
    told = message;
    const drawn = document.querySelector('#yj-scope-line');
    if (drawn) drawn.remove();
    draw();
  });
  window.youjuPage.onChange(draw);
})();

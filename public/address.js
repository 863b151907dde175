// Gives a new chat its address, so that it is there again when the page is loaded anew. Chainlit does it when its list
// of chats comes into the page: on a phone only when that is opened, and then it draws everything anew, the list closed.
(function () {
  let chat = '';

  function write() {
    const isBegun = document.querySelector('[data-step-type=user_message]');
    if (!chat || !isBegun || window.location.pathname !== '/' || document.querySelector('#thread-history')) return;
    window.history.replaceState(window.history.state, '', `/thread/${chat}`);
  }

  window.youjuPage.onTold('youju_scope', (message) => {
    chat = message.chat;
  });
  window.youjuPage.onChange(write);
})();

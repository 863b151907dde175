// Words that Chainlit writes in English whatever the language, and names for buttons that have none.
(function () {
  const zh = document.documentElement.lang.startsWith('zh');
  const WORDS = {
    Tasks: '进度',
    'Toggle theme': '切换主题',
    'Toggle Sidebar': '打开或收起历史对话',
    Close: '关闭',
    Save: '保存',
  };
  const NAMES = {
    '#sidebar-trigger-button': ['历史对话', 'Chats'],
    '#search-chats-button': ['搜索对话', 'Search chats'],
    '#new-chat-button': ['新建对话', 'New chat'],
    '#upload-button': ['添加文件', 'Add files'],
    '#chat-settings-open-modal': ['设置', 'Settings'],
    '#chat-submit': ['发送', 'Send'],
    '#stop-button': ['停止', 'Stop'],
    '#user-nav-button': ['用户菜单', 'User menu'],
    '#thread-options': ['对话菜单', 'Chat menu'],
    'button:has(> svg.lucide-copy)': ['复制', 'Copy'],
    'button:has(> svg.lucide-arrow-down)': ['回到最新处', 'To the newest'],
    '.positive-feedback-off, .positive-feedback-on': ['有帮助', 'Helpful'],
    '.negative-feedback-off, .negative-feedback-on': ['没有帮助', 'Not helpful'],
  };
  // Only where Chainlit's own words stand, never in what people or documents say.
  const PLACES = '.sr-only, .tasklist .font-semibold, .tasklist-mobile .font-semibold, dialog button, [role=dialog] button';

  const OURS = new Set(Object.values(NAMES).flat());

  function name(button, words) {
    if (button.getAttribute('aria-label') !== words) button.setAttribute('aria-label', words);
  }

  function reword() {
    for (const [selector, names] of Object.entries(NAMES)) {
      for (const button of document.querySelectorAll(selector)) {
        // One button becomes another, as "send" becomes "stop", and keeps what it was called.
        const called = button.getAttribute('aria-label');
        if (called === null || OURS.has(called)) name(button, names[zh ? 0 : 1]);
      }
    }
    // A phone shows their icons alone; their ids hold what they are called.
    for (const button of document.querySelectorAll('.command-buttons-container > button')) {
      name(button, button.id.replace('command-', ''));
    }
    if (!zh) return;
    for (const place of document.querySelectorAll(PLACES)) {
      const node = place.firstChild;
      if (node && node.nodeType === Node.TEXT_NODE && WORDS[node.data]) node.data = WORDS[node.data];
    }
  }

  window.youjuPage.onChange(reword);
})();

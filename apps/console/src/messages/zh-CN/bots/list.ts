import type { list as English } from '../../en/bots/list.ts';

export const list: typeof English = {
  title: '机器人',
  description: '每个机器人都有自己的指令、模型和知识库。',
  newBot: '新建机器人',
  kinds: { label: '显示哪些机器人', mine: '我的', shared: '与我共享', starred: '已收藏', recent: '最近使用' },
  table: '机器人',
  bot: '机器人',
  sharing: '共享',
  knowledge: '知识库',
  ready: '就绪',
  created: '创建时间',
  used: '上次使用',
  chat: '对话',
  chatWith: (title) => `与“${title}”对话`,
  star: (title) => `收藏“${title}”`,
  unstar: (title) => `取消收藏“${title}”`,
  forget: (title) => `从最近使用的机器人中移除“${title}”`,
  forgotten: '已从最近使用的机器人中移除。',
  published: '已发布',
  empty: {
    mine: { title: '你还没有机器人', text: '为机器人提供指令和文件，它就能据此回答。' },
    mineNotAllowed: {
      title: '你没有机器人',
      text: '你可以使用机器人，但不能创建。管理员可以将你添加到用户组 CreatingBotAllowed。',
    },
    shared: { title: '没有与你共享的机器人', text: '其他人与你或与所有用户共享的机器人会显示在这里。' },
    starred: { title: '你没有收藏的机器人', text: '收藏机器人后，可以在这里找到它。' },
    recent: { title: '你还没有使用过机器人', text: '与你对话过的机器人会显示在这里。' },
  },
  toStore: '在商店中查找机器人',
};

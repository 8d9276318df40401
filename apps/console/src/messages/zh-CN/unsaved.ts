import type { unsaved as English } from '../en/unsaved.ts';

export const unsaved: typeof English = {
  changed: { title: '放弃更改？', text: '此页面上的更改尚未保存。' },
  ended: {
    title: '会话已结束',
    text: '如需保留更改，请选择“取消”，在另一个标签页中重新登录，然后在此保存。',
  },
  discard: '放弃',
};

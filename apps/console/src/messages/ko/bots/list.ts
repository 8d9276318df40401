import type { list as English } from '../../en/bots/list.ts';

export const list: typeof English = {
  title: '봇',
  description: '봇마다 고유한 지침, 모델, 지식이 있습니다.',
  newBot: '새 봇',
  kinds: { label: '표시할 봇', mine: '내 봇', shared: '공유받은 봇', starred: '별표 표시됨', recent: '최근 사용' },
  table: '봇',
  bot: '봇',
  sharing: '공유',
  knowledge: '지식',
  ready: '준비됨',
  created: '생성일',
  used: '마지막 사용',
  chat: '채팅',
  chatWith: (title) => `${title} 봇과 채팅`,
  star: (title) => `${title} 별표 표시`,
  unstar: (title) => `${title} 별표 해제`,
  forget: (title) => `최근 사용한 봇에서 ${title} 제거`,
  forgotten: '최근 사용한 봇에서 제거되었습니다.',
  published: '게시됨',
  empty: {
    mine: { title: '아직 봇이 없습니다', text: '봇에 지침과 파일을 제공하면 그 내용을 바탕으로 답변합니다.' },
    mineNotAllowed: {
      title: '봇이 없습니다',
      text: '봇을 사용할 수는 있지만 만들 수는 없습니다. 관리자가 CreatingBotAllowed 그룹에 추가해야 합니다.',
    },
    shared: { title: '공유받은 봇이 없습니다', text: '다른 사용자가 나 또는 모든 사용자에게 공유한 봇이 여기에 표시됩니다.' },
    starred: { title: '별표 표시한 봇이 없습니다', text: '봇에 별표를 표시하면 여기에서 찾을 수 있습니다.' },
    recent: { title: '아직 사용한 봇이 없습니다', text: '채팅한 봇이 여기에 표시됩니다.' },
  },
  toStore: '스토어에서 봇 찾기',
};

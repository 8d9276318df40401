import type { adminInvitations as English } from '../../en/admin/invitations.ts';

/** Texts of invitations. */
export const adminInvitations: typeof English = {
  description:
    '계정을 만들 수 있는 링크를 받은 사람입니다. 링크는 7일 동안 한 번만 사용할 수 있습니다. 이 페이지를 본 기록은 감사 로그에 남습니다.',
  create: '사용자 초대',
  send: '초대 보내기',
  sent: (email) => `${email} 주소로 초대를 보냈습니다.`,
  emptyTitle: '대기 중인 초대가 없습니다',
  emptyText: '초대를 보내려면 “사용자 초대”를 선택하세요. 초대를 수락한 사람은 사용자 목록에 표시됩니다.',
  email: '이메일',
  emailHelp: '이 주소로 보낸 이전 초대는 대체됩니다.',
  firstName: '이름',
  lastName: '성',
  groups: '그룹',
  groupsHelp: '선택하지 않으면 새 사용자의 기본 그룹이 적용됩니다.',
  noGroups: '없음',
  created: '보낸 시간',
  by: (name) => `보낸 사람: ${name}`,
  expires: '만료 시간',
  revoke: '철회',
  revokeOf: (email) => `${email} 초대 철회`,
  revokeTitle: '초대를 철회하시겠습니까?',
  revokeText: (email) => `${email} 주소로 보낸 이메일의 링크가 작동을 멈춥니다.`,
  revoked: '초대가 철회되었습니다.',
};

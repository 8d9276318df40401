import type { adminTokens as English } from '../../en/admin/tokens.ts';

/** Texts of service accounts. */
const accounts: (typeof English)['accounts'] = {
  description: '프로그램 전용 사용자입니다. 비밀번호가 없어 로그인할 수 없으며, 프로그램이 액세스 토큰을 사용해 이 계정으로 작업합니다.',
  create: '새 서비스 계정',
  emptyTitle: '서비스 계정이 없습니다',
  emptyText: '가져오기 도구처럼 특정 사용자에 속하지 않는 프로그램용 계정을 만들려면 “새 서비스 계정”을 선택하세요.',
  name: '이름',
  nameHelp: '예: 프로그램 이름',
  nameMissing: '이름을 입력하세요.',
  owner: '소유자',
  ownerHelp: '계정을 소유하는 그룹입니다. 계정은 이 그룹의 멤버이며 그룹의 권한을 가집니다.',
  ownerMissing: '그룹을 선택하세요.',
  chooseGroup: '그룹 선택',
  ownerGone: '삭제됨',
  ownerGoneText: '계정을 소유한 그룹이 삭제되었습니다. 이 계정의 토큰은 허용되지 않습니다.',
  furtherGroups: '추가 그룹',
  groups: '그룹',
  groupsText: '서비스 계정의 권한은 그룹에 따라 결정됩니다. 변경사항은 모든 토큰에 즉시 적용됩니다.',
  state: '상태',
  enabled: '사용 중',
  disabled: '사용 중지됨',
  created: '생성 시간',
  createdNow: '서비스 계정이 생성되었습니다. 프로그램에서 사용할 토큰을 만드세요.',
  facts: '계정',
  id: '사용자 ID',
  all: '모든 서비스 계정',
  gone: '서비스 계정을 찾을 수 없습니다',
  goneText: '삭제된 계정일 수 있습니다. 비용은 모든 합계에 계속 포함됩니다.',
  rename: '이름 변경',
  renameTitle: '서비스 계정 이름 변경',
  renamed: '이름이 저장되었습니다.',
  disable: '사용 중지',
  disableTitle: '서비스 계정을 사용 중지하시겠습니까?',
  disableText: '지금부터 이 계정의 토큰을 사용하는 요청이 거부됩니다. 삭제되는 것은 없으며 다시 사용하도록 설정할 수 있습니다.',
  disabledNow: '서비스 계정이 사용 중지되었습니다.',
  enable: '사용 설정',
  enabledNow: '서비스 계정이 사용 설정되었습니다. 토큰이 다시 허용됩니다.',
  deleteTitle: (name) => `${name} 계정을 삭제하시겠습니까?`,
  deleteText:
    '서비스 계정과 토큰, 봇과 대화 등의 콘텐츠가 모든 서비스에서 제거됩니다. 비용 합계는 그대로 유지됩니다. 이 작업은 되돌릴 수 없습니다.',
  deleteForever: '영구 삭제',
  deletedTitle: '서비스 계정이 삭제되었습니다',
  tokens: '액세스 토큰',
  noTokens: '서비스 계정에 액세스 토큰이 없습니다',
  tokensText: '개별적으로 폐기할 수 있도록 프로그램마다 별도의 토큰을 사용하세요.',
};

/** Texts of the list of all tokens. */
const all: (typeof English)['all'] = {
  title: '액세스 토큰',
  description: '모든 사용자와 서비스 계정의 액세스 토큰이며 오래된 순서로 표시됩니다. 이 페이지를 본 기록은 감사 로그에 남습니다.',
  owner: '소유자',
  by: (name) => `만든 사람: ${name}`,
  none: '액세스 토큰이 없습니다',
  noneText: '사용자는 계정 페이지에서, 관리자는 서비스 계정 페이지에서 토큰을 만들 수 있습니다.',
};

export const adminTokens: typeof English = { accounts, all };

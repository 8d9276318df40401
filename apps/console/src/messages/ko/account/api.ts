import type { api as English } from '../../en/account/api.ts';

/** Texts of the page for programs that call models. */
export const api: typeof English = {
  text: '프로그램에서 OpenAI와 Anthropic의 SDK 및 도구로 이 인스턴스의 모델을 호출할 수 있습니다. 기본 URL과 키만 바꾸면 됩니다.',

  tokens: '프로그램용 토큰',
  tokensText: '“봇 없이 모델 호출” 권한이 있는 토큰을 키로 사용합니다. 사용 조건은 토큰을 새로 만들지 않고도 변경할 수 있습니다.',
  noTokens: '모델을 호출할 수 있는 토큰이 없습니다',
  noTokensText: '“새 토큰”을 선택해 프로그램마다 토큰을 따로 만드세요. 그러면 개별적으로 제한하고 폐기할 수 있습니다.',

  models: '모델',
  modelsText: '토큰의 사용 조건에서 제외하지 않는 한 내 토큰으로 호출할 수 있는 모델입니다. 가격은 100만 토큰당 미국 달러입니다.',
  noModels: '호출할 수 있는 모델이 없습니다',
  noModelsText: '관리자가 관리 메뉴의 “모델 및 가격”에서 모델을 연결해야 합니다.',
  model: '모델',
  endpoints: '엔드포인트',
  context: '컨텍스트 윈도우',
  input: '입력',
  output: '출력',
  cached: (price) => `캐시 ${price}`,
  free: '무료',
  useOf: (name) => `${name} 예시`,
  use: '예시',

  examples: '예시',
  examplesText: '바로 실행할 수 있으며 환경 변수 PARLANCE_TOKEN에서 토큰을 읽습니다.',
  setToken: '셸에서 한 번 실행',
  program: '프로그램',
  programs: {
    curl: 'curl',
    'openai-python': 'OpenAI SDK, Python',
    'openai-node': 'OpenAI SDK, Node',
    'anthropic-python': 'Anthropic SDK, Python',
    'anthropic-typescript': 'Anthropic SDK, TypeScript',
    langchain: 'LangChain, Python',
    'claude-code': 'Claude Code',
    agents: 'OPENAI_BASE_URL을 읽는 에이전트',
  },

  calls: '내 호출',
  callsText: '표시된 호출의 비용입니다. 채팅과 봇의 비용은 사용량 페이지에 있습니다.',
  toUsage: '사용량',
};

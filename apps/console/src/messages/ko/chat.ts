import type { chat as English } from '../en/chat.ts';
import { locale } from '../locale.ts';
import { plural } from '../plural.ts';

/** Texts of the pages in pages/chat. */
export const chat: typeof English = {
  newTitle: '무엇을 도와드릴까요?',
  newText: '질문을 입력하거나 @를 입력해 봇을 선택하세요.',
  unknownTitle: '채팅을 찾을 수 없습니다',
  unknownText: '삭제되었거나 다른 사용자의 채팅입니다.',
  untitled: '제목 없는 채팅',
  placeholder: '메시지 입력',
  chooseReply: '다음 메시지를 보내기 전에 위에서 답변을 선택하세요.',
  askBot: (bot) => `${bot}에게 질문하기`,
  composer: '새 메시지',
  message: '메시지',
  messages: '메시지',
  send: '보내기',
  stop: '답변 중지',
  sending: '보내는 중…',
  notSent: '메시지를 보내지 못했습니다',
  notSentBecauseOf: (file) => `${file} 파일 때문에 메시지를 보내지 못했습니다`,
  retryIn: (seconds) => plural(seconds, { other: '{n}초 후에 다시 보낼 수 있습니다.' }),
  retryAt: (time) => `${time}부터 다시 보낼 수 있습니다.`,
  retryNow: '이제 다시 보낼 수 있습니다.',
  starters: '추천',
  botNotReady: {
    QUEUED: '이 봇의 지식을 읽고 있습니다. 완료될 때까지 답변에 반영되지 않을 수 있습니다.',
    RUNNING: '이 봇의 지식을 읽고 있습니다. 완료될 때까지 답변에 반영되지 않을 수 있습니다.',
    FAILED: '이 봇의 지식을 읽지 못했습니다. 이전에 읽은 내용만 답변에 사용됩니다.',
  },
  botUnavailable: '이 봇은 사용할 수 없습니다. 삭제되었거나 공유가 중단되었습니다.',
  modelsUnknown: '모델을 불러오지 못했습니다. 페이지를 새로 고치세요.',
  noModel: '사용할 수 있는 모델이 없습니다. 관리자가 모델을 연결해야 합니다.',
  model: '모델',
  reason: '추론 후 답변',
  temporary: '임시 채팅',
  temporaryText: (hours) =>
    `이 채팅은 목록과 검색에 표시되지 않으며, 마지막 메시지로부터 ${
      hours === undefined ? '몇 시간' : plural(hours, { other: '{n}시간' })
    } 후에 삭제됩니다. 그때까지는 관리자가 내 채팅 목록에서 볼 수 있습니다.`,

  chooseBot: '봇 선택',
  attach: '파일 첨부',
  dropFiles: '파일을 여기에 놓아 첨부하세요',
  attachments: '첨부 파일',
  removeFile: (name) => `${name} 제거`,
  files: (n) => plural(n, { other: '파일 {n}개' }),
  noVision: '이 모델은 이미지를 볼 수 없습니다. 다른 모델을 선택하거나 이미지를 제거하세요.',
  fileRefused: {
    empty: (name) => `${name}: 빈 파일입니다.`,
    unreadable: (name) => `${name}: 읽을 수 없는 형식입니다. PDF, Office 파일(DOCX, XLSX, PPTX), 텍스트 파일 또는 이미지를 첨부하세요.`,
    image_too_large: (name) => `${name}: 이미지가 너무 큽니다. 이미지는 최대 3.75 MiB까지 첨부할 수 있습니다.`,
    file_too_large: (name) => `${name}: 파일이 너무 큽니다. 파일은 최대 10 MiB까지 첨부할 수 있습니다.`,
    too_many_images: (name) => `${name}: 첨부되지 않았습니다. 메시지 하나에 이미지를 최대 20개까지 첨부할 수 있습니다.`,
    too_many_files: (name) => `${name}: 첨부되지 않았습니다. 메시지 하나에 파일을 최대 10개까지 첨부할 수 있습니다.`,
    too_large_together: (name) => `${name}: 첨부되지 않았습니다. 메시지 하나의 파일은 모두 합해 최대 14 MiB입니다.`,
  },
  image: '이미지',
  sentImage: '보낸 이미지',
  nthImage: (index) => `이미지 ${index}`,
  fileRemoved: '보존 규칙에 따라 제거됨',
  download: '다운로드',

  youWrote: '내 메시지',
  replyBy: '답변:',
  editMessage: '메시지 편집',
  editLater: '새 버전으로 전송되며 이전 버전도 유지됩니다.',
  editFirst: '첫 메시지를 편집하면 새 채팅으로 전송됩니다.',
  versions: '버전',
  version: (at, of) => `${at}/${of}`,
  earlierVersion: '이전 버전',
  laterVersion: '다음 버전',
  earlierMessages: '이전 메시지 보기',
  latest: '최신으로',

  writing: '작성 중…',
  reasoning: '추론',
  reasoningNow: '추론 중…',
  continueReply: '이어서 작성',
  again: '답변 다시 생성',
  connectionLost: '연결이 끊어졌습니다. 답변은 서버에서 계속 작성됩니다.',
  reconnect: '다시 연결',
  stopped: {
    cancelled: '답변을 중지했습니다.',
    max_tokens: '답변이 최대 길이에 도달했습니다.',
    max_tool_rounds: '모델이 도구를 너무 많이 호출했습니다.',
    content_filtered: '모델 공급자가 이 답변을 필터링했습니다.',
  },
  guardrail: { blocked: '가드레일이 대체함', masked: '가드레일이 일부를 가림' },
  announced: {
    writing: '답변을 작성하고 있습니다.',
    waiting: '답변이 승인을 기다리고 있습니다.',
    done: '답변이 끝났습니다.',
    failed: '답변에 실패했습니다.',
    lost: '연결이 끊어졌습니다.',
  },

  code: '코드',
  codeIn: (language) => `코드: ${language}`,
  diagram: '다이어그램',
  showCode: '코드 보기',
  showDiagram: '다이어그램 보기',
  copyCode: '복사',
  showBeside: '채팅 옆에 표시',
  table: '표',
  opensInNewTab: '(새 탭에서 열림)',
  imageAt: (alt) => (alt === '' ? '이미지' : `이미지: ${alt}`),
  source: '출처',
  sources: '출처',
  page: (page) => `${page}페이지`,
  citation: (rank, name, page) => `출처 ${rank}: ${name}${page === null ? '' : `, ${page}페이지`}`,

  tool: (name) => `도구: ${name}`,
  toolInput: '입력',
  toolResult: '결과',
  callStatus: { awaiting: '승인 필요', running: '실행 중', succeeded: '성공', failed: '실패', denied: '거부됨' },
  wouldDo: (name) => `모델이 다음 입력으로 ${name} 도구를 호출하려고 합니다.`,
  approvalText: (until) =>
    until === null
      ? '결정하기 전에는 아무것도 실행되지 않습니다.'
      : `결정하기 전에는 아무것도 실행되지 않습니다. ${until}까지 결정하지 않으면 도구를 호출하지 않고 답변을 계속합니다.`,
  approvalEnded: (at) =>
    `${at}에 결정 시간이 끝났습니다. 도구를 호출하지 않고 답변을 계속합니다. 그래도 호출이 필요하면 답변이 끝난 뒤 다시 요청하세요.`,
  approvalOver: '시간 내에 승인되지 않음',
  approve: '승인',
  deny: '거부',

  good: '좋은 답변',
  bad: '별로인 답변',
  feedbackTitle: '어떤 점이 문제인가요?',
  feedbackReason: '이유',
  feedbackReasons: {
    incorrect: '내용이 잘못됨',
    incomplete: '내용이 불충분함',
    not_helpful: '도움이 되지 않음',
    wrong_source: '잘못된 출처를 사용함',
    harmful: '유해하거나 불쾌함',
    other: '기타',
  },
  feedbackComment: '의견(선택 사항)',
  feedbackHelp: '관리자가 읽을 수 있습니다.',
  sendFeedback: '의견 보내기',
  feedbackThanks: '의견이 저장되었습니다.',

  details: '답변 세부정보',
  costOfChat: '이 채팅의 비용',

  searchChats: '채팅 검색',
  found: (n, hasMore) => plural(n, { other: hasMore ? '채팅 {n}개 이상' : '채팅 {n}개' }),
  noChats: '채팅이 없습니다. 메시지를 입력해 시작하세요.',
  pinned: '고정됨',
  dateGroup: (group) => {
    if (typeof group === 'object')
      return new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(new Date(group.year, group.month));
    return { today: '오늘', yesterday: '어제', week: '지난 7일', month: '지난 30일' }[group];
  },
  actionsOf: (title) => `작업: ${title}`,
};

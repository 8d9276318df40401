import type { transfer as English } from '../../en/bots/transfer.ts';
import { plural } from '../../plural.ts';

export const transfer: typeof English = {
  duplicate: '복제',
  duplicateTitle: '봇 복제',
  duplicateText: '복제한 봇은 내 소유의 비공개 봇이 됩니다. 공유 설정, 게시 상태, 이전 버전은 복사되지 않습니다.',
  title: '제목',
  copyOf: (title) => `${title}(복사본)`,
  withFiles: '업로드한 파일도 복사',
  duplicated: '봇이 복제되었습니다.',

  exportYaml: 'YAML로 내보내기',
  exportZip: '파일과 함께 내보내기(ZIP)',
  exporting: '내보내기를 준비하고 있습니다. 완료되면 브라우저가 저장합니다.',

  import: '가져오기',
  importTitle: '봇 가져오기',
  importText: '내보낸 봇 파일(YAML 파일 또는 파일이 포함된 ZIP)에서 가져옵니다. 새 봇은 내 소유의 비공개 봇이 됩니다.',
  choose: '파일 선택',
  chooseAnother: '다른 파일 선택',
  checking: (file) => `${file} 읽는 중…`,
  tooLarge: '파일이 너무 큽니다. 봇의 YAML은 최대 2 MiB입니다.',
  ready: (title) => `“${title}” 봇을 가져올 수 있습니다`,
  files: (n) => plural(n, { other: '파일 {n}개 포함.' }),
  allTaken: '파일의 모든 내용을 가져옵니다.',
  leftOut: '새 봇에 포함되지 않는 항목',
  field: '항목',
  value: '값',
  reason: '이유',
  create: '봇 만들기',
  imported: '봇을 가져왔습니다.',
};

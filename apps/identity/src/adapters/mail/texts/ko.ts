import type { MailTexts } from './mail-texts.ts';

export const ko: MailTexts = {
  greeting: (name) => (name === '' ? '안녕하세요.' : `${name} 님, 안녕하세요.`),
  chosen: '알림 이메일을 받도록 설정하셔서 이 이메일을 보내 드립니다. “계정” 페이지에서 끌 수 있습니다.',
  mails: {
    email_verification: {
      subject: '이메일 주소를 확인하세요',
      body: '링크를 열어 이메일 주소를 확인하세요. 가입하지 않았다면 이 이메일을 무시하세요.',
      link: '주소 확인',
    },
    invitation: {
      subject: 'Parlance 초대',
      body: '관리자가 회원님을 Parlance에 초대했습니다. 링크를 열어 비밀번호를 설정하세요.',
      link: '초대 수락',
    },
    password_reset: {
      subject: '새 비밀번호를 설정하세요',
      body: '링크를 열어 새 비밀번호를 설정하세요. 요청하지 않았다면 이 이메일을 무시하세요. 비밀번호는 변경되지 않습니다.',
      link: '비밀번호 설정',
    },
    password_changed: {
      subject: '비밀번호가 변경되었습니다',
      body: '계정의 비밀번호가 변경되었습니다. 본인이 변경하지 않았다면 즉시 관리자에게 문의하세요.',
      link: '',
    },
    second_factor_added: {
      subject: '2단계 인증 수단이 추가되었습니다',
      body: '계정에 2단계 인증 수단이 추가되었습니다. 본인이 추가하지 않았다면 즉시 관리자에게 문의하세요.',
      link: '',
    },
    second_factor_removed: {
      subject: '2단계 인증 수단이 제거되었습니다',
      body: '계정에서 2단계 인증 수단이 제거되었습니다. 본인이 제거하지 않았다면 즉시 관리자에게 문의하세요.',
      link: '',
    },
    second_factors_reset: {
      subject: '모든 2단계 인증 수단이 제거되었습니다',
      body: '계정의 모든 2단계 인증 수단이 제거되었습니다. 본인이 요청하지 않았다면 즉시 관리자에게 문의하세요.',
      link: '',
    },
    token_created: {
      subject: '개인 액세스 토큰이 생성되었습니다',
      body: '계정에 개인 액세스 토큰이 생성되었습니다. 프로그램이 이 토큰을 사용해 회원님의 계정으로 작업할 수 있습니다. 본인이 만들지 않았다면 즉시 관리자에게 문의하세요.',
      link: '',
    },
    budget_nearly_reached: {
      subject: '예산을 대부분 사용했습니다',
      body: '예산의 80% 이상을 사용했습니다. 남은 금액과 다음 기간의 시작 시간은 사용량 페이지에서 확인할 수 있습니다.',
      link: '',
    },
    budget_reached: {
      subject: '예산을 모두 사용했습니다',
      body: '남은 예산이 다음 메시지를 처리하기에 부족합니다. 다음 기간의 시작 시간은 사용량 페이지에서 확인할 수 있습니다.',
      link: '',
    },
    own_export_ready: {
      subject: '데이터가 준비되었습니다',
      body: '데이터 내보내기가 준비되었습니다. 로그인하여 파일을 다운로드하세요. 파일은 하루 동안 보관됩니다. 본인이 요청하지 않았다면 즉시 관리자에게 문의하세요.',
      link: '“내 데이터” 페이지 열기',
    },
    own_export_ready_by_admin: {
      subject: '관리자가 회원님의 데이터를 내보냈습니다',
      body: '관리자가 회원님의 데이터 내보내기를 요청했습니다. 파일은 본인만 다운로드할 수 있습니다. 하루 안에 로그인하여 다운로드하세요.',
      link: '“내 데이터” 페이지 열기',
    },
    bot_shared: {
      subject: '봇이 공유되었습니다',
      body: '회원님에게 봇이 공유되었습니다.',
      link: '봇 열기',
    },
    prompt_shared: {
      subject: '프롬프트가 공유되었습니다',
      body: '회원님에게 프롬프트가 공유되었습니다.',
      link: '프롬프트 열기',
    },
    project_shared: {
      subject: '프로젝트가 공유되었습니다',
      body: '회원님이 프로젝트에 추가되었습니다.',
      link: '프로젝트 열기',
    },
    approval_wanted: {
      subject: '답변이 승인을 기다리고 있습니다',
      body: '회원님의 채팅에서 답변 하나가 도구 실행의 승인 또는 거부를 기다리고 있습니다.',
      link: '채팅 열기',
    },
    budget_threshold: {
      subject: '거의 소진된 예산이 있습니다',
      body: '80% 이상 사용된 예산이 있습니다.',
      link: '예산 열기',
    },
    budget_spent: {
      subject: '모두 소진된 예산이 있습니다',
      body: '남은 예산이 다음 메시지나 호출을 처리하기에 부족합니다.',
      link: '예산 열기',
    },
  },
};

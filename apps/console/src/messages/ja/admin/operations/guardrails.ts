import type { guardrails as English } from '../../../en/admin/operations/guardrails.ts';
import { plural } from '../../../plural.ts';

export const guardrails: typeof English = {
  title: 'ガードレール',
  description:
    'メッセージと回答に含まれる個人データ、シークレット、語句に対するポリシーです。parlance.config.json の「guardrails」で設定し、この順番で適用されます。',
  policy: 'ポリシー',
  surfaces: '適用対象',
  surface: {
    conversations: 'ユーザーの会話',
    published: '公開済みのボット',
    gateway: 'プログラムによるモデルの呼び出し',
  } as Readonly<Record<string, string>>,
  stage: 'チェック対象',
  stages: { input: 'モデルに送信するテキスト', output: '回答' },
  detectors: '検出対象',
  detector: {
    email: 'メールアドレス',
    phone: '電話番号',
    iban: 'IBAN',
    payment_card: '決済カードの番号',
    national_id: '国民識別番号',
    ip_address: 'IP アドレス',
    secret: 'パスワードとキー',
  } as Readonly<Record<string, string>>,
  words: (count) => plural(count, { other: '{n} 個の語句' }),
  regions: (regions) => `国内形式の電話番号: ${regions}`,
  action: '動作',
  actions: { flag: '件数のみ記録', mask: 'マスク', block: 'ブロック' },
  none: 'ポリシーはありません',
  noneText: '何もチェックされません。parlance.config.json の「guardrails」にポリシーを追加して、Parlance を再起動してください。',
};

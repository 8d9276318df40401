import type { replyDetails as English } from '../../en/chat/reply-details.ts';
import { locale } from '../../locale.ts';

/** How a reply was made. */
export const replyDetails: typeof English = {
  title: 'この回答の生成情報',
  inputTokens: '入力トークン',
  cachedTokens: 'うちキャッシュから',
  outputTokens: '出力トークン',
  estimated: '推定',
  cost: 'コスト',
  priceFrom: '料金の適用開始',
  firstToken: '最初の語までの時間',
  totalTime: '合計時間',
  millis: (millis) =>
    new Intl.NumberFormat(locale(), {
      style: 'unit',
      maximumFractionDigits: 1,
      ...(millis < 1_000 ? { unit: 'millisecond' } : { unit: 'second' }),
    }).format(millis < 1_000 ? millis : millis / 1_000),
  botVersion: 'ボットのバージョン',
  tries: 'プロバイダーの呼び出し',
  toolCalls: 'ツール',
  guardrailVerdict: 'ガードレール',
  verdict: { passed: '通過', blocked: '回答を置換', masked: '回答の一部をマスク' },
};

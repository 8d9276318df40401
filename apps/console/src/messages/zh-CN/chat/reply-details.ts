import type { replyDetails as English } from '../../en/chat/reply-details.ts';
import { locale } from '../../locale.ts';

export const replyDetails: typeof English = {
  title: '此回复的生成方式',
  inputTokens: '输入 Token',
  cachedTokens: '其中来自缓存',
  outputTokens: '输出 Token',
  estimated: '估算',
  cost: '费用',
  priceFrom: '价格生效时间',
  firstToken: '首字用时',
  totalTime: '总用时',
  millis: (millis) =>
    new Intl.NumberFormat(locale(), {
      style: 'unit',
      maximumFractionDigits: 1,
      ...(millis < 1_000 ? { unit: 'millisecond' } : { unit: 'second' }),
    }).format(millis < 1_000 ? millis : millis / 1_000),
  botVersion: '机器人版本',
  tries: '提供商调用次数',
  toolCalls: '工具',
  guardrailVerdict: '安全护栏',
  verdict: { passed: '通过', blocked: '替换了回复', masked: '遮盖了回复的部分内容' },
};

import type { guardrails as English } from '../../../en/admin/operations/guardrails.ts';
import { plural } from '../../../plural.ts';

export const guardrails: typeof English = {
  title: '安全护栏',
  description: '针对消息和回答中的个人数据、机密信息和词语的策略。在 parlance.config.json 的“guardrails”中配置，并按此顺序应用。',
  policy: '策略',
  surfaces: '适用于',
  surface: { conversations: '用户的对话', published: '已发布的机器人', gateway: '程序对模型的调用' },
  stage: '检查内容',
  stages: { input: '发送给模型的文本', output: '回答' },
  detectors: '查找内容',
  detector: {
    email: '邮箱地址',
    phone: '电话号码',
    iban: 'IBAN',
    payment_card: '支付卡号',
    national_id: '身份证件号码',
    ip_address: 'IP 地址',
    secret: '密码和密钥',
  },
  words: (count) => plural(count, { other: '{n} 个词或短语' }),
  regions: (regions) => `国家/地区电话号码：${regions}`,
  action: '处理方式',
  actions: { flag: '计数', mask: '遮盖', block: '拦截' },
  none: '没有策略',
  noneText: '不检查任何内容。请在 parlance.config.json 的“guardrails”中添加策略，然后重启 Parlance。',
};

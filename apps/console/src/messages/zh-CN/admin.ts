import type { admin as English } from '../en/admin.ts';

export const admin: typeof English = {
  pages: {
    overview: '概览',
    users: '用户',
    groups: '用户组',
    invitations: '邀请',
    serviceAccounts: '服务账号',
    tokens: '访问令牌',
    costs: '费用',
    calls: '调用记录',
    bots: '机器人',
    quality: '质量',
    questions: '提问',
    apis: '已发布的 API',
    audit: '审计日志',
    models: '模型和价格',
    guardrails: '安全护栏',
    budgets: '预算',
    retention: '数据保留',
    holds: '保全',
    exports: '导出',
    webhooks: 'Webhook',
    identity: '身份提供商',
    health: '运行状况',
  },
};

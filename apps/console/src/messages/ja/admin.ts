import type { admin as English } from '../en/admin.ts';

/** The names of the pages in pages/admin. Their texts are loaded with them. */
export const admin: typeof English = {
  pages: {
    overview: '概要',
    users: 'ユーザー',
    groups: 'グループ',
    invitations: '招待',
    serviceAccounts: 'サービスアカウント',
    tokens: 'アクセストークン',
    costs: 'コスト',
    calls: '呼び出し',
    bots: 'ボット',
    quality: '品質',
    questions: '質問',
    apis: '公開 API',
    audit: '監査ログ',
    models: 'モデルと料金',
    guardrails: 'ガードレール',
    budgets: '予算',
    retention: 'データ保持',
    holds: 'リーガルホールド',
    exports: 'エクスポート',
    webhooks: 'Webhook',
    identity: 'ID プロバイダー',
    health: '稼働状況',
  },
};

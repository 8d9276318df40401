import type { adminCalls as English } from '../../../en/admin/operations/calls.ts';

export const adminCalls: typeof English = {
  title: '呼び出し',
  description:
    'すべてのユーザーとサービスアカウントのプログラムが、ボットを使わずに行ったモデルの呼び出しです。このページの閲覧は監査ログに記録されます。',
  start:
    'プログラムには、「ボットを使わずにモデルを呼び出す」権限のあるアクセストークンが必要です。ユーザーは、自分のアカウントページの「API アクセス」で作成します。',
  ofUser: 'このユーザーの呼び出しのみ表示',
  withToken: 'このトークンの呼び出しのみ表示',
};

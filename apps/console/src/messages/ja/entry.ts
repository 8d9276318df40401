import type { entry as English } from '../en/entry.ts';
import { plural } from '../plural.ts';

/** Texts of the page that connects a model. */
const modelPage: (typeof English)['modelPage'] = {
  title: 'モデルをサーバーの設定に追加',
  description:
    '運用担当者向け: サーバーの設定に書いたモデルは、インストールし直しても同じものが使われ、コンソールでは変更できません。反映には再起動が必要です。',
  withoutRestart: '再起動せずに接続する',
  providerStep: '1. プロバイダーを選択',
  provider: 'プロバイダー',
  providers: {
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    bedrock: 'Amazon Bedrock',
    openai_compatible: 'OpenAI 互換サーバー (vLLM、Ollama、LiteLLM)',
  },
  region: 'リージョン',
  regionHelp: '組み込みのモデルは、米国リージョンの推論プロファイルを使用します。',
  baseUrl: 'サーバーのアドレス',
  baseUrlHelp: '/v1 まで含めて入力します。Parlance から接続できる必要があります。',
  modelName: 'サーバー上のモデル名',
  contextWindow: 'コンテキストウィンドウ (トークン)',
  configurationStep: '2. サーバーの設定に次の内容を追加',
  configurationText:
    '大文字の部分を実際のキーに置き換えます。Parlance を起動するフォルダーにあるファイル parlance.config.json か、環境変数のどちらかを使ってください。その後、Parlance を再起動します。',
  keyNote: 'キーはサーバーの設定に保存するものです。このページがキーの入力を求めたり、キーを送信したりすることはありません。',
  file: 'parlance.config.json',
  variable: '環境変数',
  checkStep: '3. 動作を確認',
  checkText: '再起動したら、利用できるモデルを 1 つ選んでください。短い呼び出しを 1 回行い、その分はあなたに課金されます。',
  model: 'モデル',
  reload: '一覧を更新',
  noModels: '利用できるプロバイダーのモデルがまだありません。設定を追加して Parlance を再起動し、一覧を更新してください。',
  check: 'モデルを確認',
  works: (model, seconds) => `${model} が ${seconds}で回答しました。`,
  fails: (model) => `${model} はまだ動作していません`,
  startChat: 'このモデルでチャットを開始',
};

/** Texts of the pages in pages/entry. */
export const entry: typeof English = {
  signIn: 'サインイン',
  signInTitle: 'Parlance にサインイン',
  language: '言語',
  sessionEnded: 'セッションが終了しました。続けるにはサインインしてください。未送信のメッセージは保持されています。',
  email: 'メールアドレス',
  password: 'パスワード',
  signInWith: (provider) => `${provider} でサインイン`,
  or: 'または',
  providerErrors: {
    invalid_oidc_state: 'このサインインは別のブラウザーで始められたか、開始から 10 分以上経過しています。最初からやり直してください。',
    oidc_refused:
      'ID プロバイダーで本人確認ができませんでした。もう一度お試しください。繰り返し起こる場合は、管理者に問い合わせてください。',
    email_not_verified:
      'ID プロバイダーでメールアドレスが確認されていません。プロバイダーで確認を済ませてから、もう一度サインインしてください。',
    email_domain_not_allowed:
      'お使いのメールドメインは、このプロバイダーからのサインインでは許可されていません。アクセスが必要な場合は、管理者に依頼してください。',
    no_such_account:
      'アカウントがありません。このプロバイダーでサインインしても、アカウントは作成されません。管理者にアカウントの作成を依頼してください。',
    user_disabled: 'アカウントが無効になっています。管理者に有効化を依頼してください。',
    provider_not_found: 'この ID プロバイダーの設定は削除されています。別の方法でサインインしてください。',
    oidc_provider_unavailable: 'ID プロバイダーから応答がありません。1 分ほど待ってから、もう一度お試しください。',
  },
  providerFailed: (code) =>
    `ID プロバイダーでのサインインに失敗しました。もう一度お試しください。繰り返し起こる場合は、管理者にコード ${code} を伝えてください。`,
  noAccount: 'アカウントをお持ちでない場合',
  forgotten: 'パスワードを忘れた場合は、再設定用のリンクを管理者に依頼してください。',
  forgottenLink: 'パスワードを忘れた場合',
  forgottenTitle: 'メールでパスワードを再設定',
  forgottenText: 'リンクを記載したメールが届きます。リンクは 1 時間以内に 1 回だけ使用できます。',
  sendLink: 'リンクを送信',
  linkSent: (email) =>
    `${email} がパスワードでサインインするユーザーのものであれば、リンクを記載したメールが届きます。数分たっても届かない場合は、管理者に問い合わせてください。`,
  backToSignIn: 'サインインに戻る',
  waitSeconds: (n) => plural(n, { other: '{n} 秒後にもう一度試せます。' }),
  waitMinutes: (n) => plural(n, { other: '{n} 分後にもう一度試せます。' }),

  signUp: 'アカウントを作成',
  signUpTitle: 'アカウントの作成',
  firstName: '名',
  lastName: '姓',
  hasAccount: 'すでにアカウントをお持ちの場合',
  signUpClosed: 'アカウントの作成は受け付けていません',
  signUpClosedText: '管理者にアカウントの作成を依頼してください。',
  allowedDomains: (domains) => `アカウントを作成できるのは、次のドメインのアドレスだけです: ${domains}`,

  newPassword: '新しいパスワード',
  temporaryPassword: '現在のパスワード',
  setPassword: 'パスワードを設定',
  passwordTitle: '新しいパスワードの設定',
  passwordText:
    '現在のパスワードは、ほかの人が設定したものか、Parlance の起動時に表示されたものです。自分だけが知っているパスワードを設定してください。',
  passwordChanged: 'パスワードを変更しました。',

  invitationTitle: '招待の承諾',
  invitationText: (email) => `${email} のアカウントを作成します。`,
  invitationIncompleteText: 'メールに記載されたリンク全体を開いてください。リンクは 1 回だけ使用できます。',
  accept: 'アカウントを作成',
  verificationTitle: 'メールアドレスの確認',
  verify: 'アドレスを確認',
  emailNotVerified: 'メールアドレスがまだ確認されていません。届いたメールのリンクを開くか、メールをもう一度送信してください。',
  signedUpText: (email) =>
    `アカウントを作成しました。${email} にリンクを記載したメールを送信しました。リンクを開いてから、サインインしてください。`,
  anotherMail: 'メールを再送信',
  verificationSent: (email) =>
    `${email} にメールを送信しました (直近 5 分以内に送信済みの場合を除きます)。最新のメールのリンクを開いてから、もう一度サインインしてください。`,
  verified: 'アドレスを確認しました。サインインできます。',
  resetTitle: '新しいパスワードの設定',
  resetText: 'すべてのセッションが終了します。その後、新しいパスワードでサインインしてください。',
  resetDone: 'パスワードを変更しました。新しいパスワードでサインインしてください。',
  resetIncomplete: 'リンクが不完全です',
  resetIncompleteText: '受け取ったリンク全体を開いてください。リンクは 1 回だけ使用できます。',

  welcomeTitle: 'Parlance へようこそ',
  welcomeText: 'あなたはこの Parlance の管理者です。はじめに、新しいパスワードを設定してください。',
  welcomeStarting: 'サインイン中…',
  welcomeIncomplete: 'リンクが不完全です',
  welcomeIncompleteText: 'Parlance の起動時に表示されたリンク全体を開くか、サインインしてください。',
  welcomeUsed: 'このリンクは使用済みです。パスワードでサインインしてください。',
  welcomeFailed: 'このリンクは使用できなくなりました',
  welcomeFailedText: 'Parlance の起動時に表示されるリンクは、パスワードを変更するまで有効です。新しいパスワードでサインインしてください。',

  firstSteps: '次のステップ',
  hideFirstSteps: 'この提案を非表示',
  makeBot: 'ファイルからボットを作成',
  makeBotText: 'ドキュメントをアップロードすると、それを引用した回答が得られます。',
  connectModel: 'モデルを接続',
  connectModelText: 'Anthropic、OpenAI、Amazon Bedrock、または独自のサーバーのモデルを利用できます。',

  modelPage,
};

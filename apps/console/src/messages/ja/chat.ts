import type { chat as English } from '../en/chat.ts';
import { locale } from '../locale.ts';
import { plural } from '../plural.ts';

/** Texts of the pages in pages/chat. */
export const chat: typeof English = {
  newTitle: '何をお手伝いしましょうか?',
  newText: '質問を入力してください。@ を入力するとボットを選べます。',
  unknownTitle: 'チャットが見つかりません',
  unknownText: '削除されたか、ほかのユーザーのチャットです。',
  untitled: '無題のチャット',
  placeholder: 'メッセージを入力',
  chooseReply: '次のメッセージを送信する前に、上の回答から 1 つ選んでください。',
  askBot: (bot) => `「${bot}」に質問`,
  composer: '新しいメッセージ',
  message: 'メッセージ',
  messages: 'メッセージ',
  send: '送信',
  stop: '回答を停止',
  sending: '送信中…',
  notSent: 'メッセージは送信されませんでした',
  notSentBecauseOf: (file) => `${file} が原因で、メッセージは送信されませんでした`,
  retryIn: (seconds) => plural(seconds, { other: '{n} 秒後に再送信できます。' }),
  retryAt: (time) => `${time} 以降に再送信できます。`,
  retryNow: '再送信できるようになりました。',
  starters: '質問の候補',
  botNotReady: {
    QUEUED: 'このボットのナレッジはまだ取り込み中です。完了するまで、回答に反映されないことがあります。',
    RUNNING: 'このボットのナレッジはまだ取り込み中です。完了するまで、回答に反映されないことがあります。',
    FAILED: 'このボットのナレッジを取り込めませんでした。回答には、以前に取り込んだ内容だけが使われます。',
  },
  botUnavailable: 'このボットは利用できません。削除されたか、共有が解除されています。',
  modelsUnknown: 'モデルを読み込めませんでした。ページを再読み込みしてください。',
  noModel: '利用できるモデルがありません。管理者がモデルを接続する必要があります。',
  model: 'モデル',
  reason: '思考してから回答',
  temporary: '一時チャット',
  temporaryText: (hours) =>
    `このチャットは一覧や検索に表示されず、最後のメッセージから${
      hours === undefined ? '数時間' : plural(hours, { other: ' {n} 時間' })
    }後に削除されます。それまでは、管理者があなたのチャットとして閲覧できます。`,
  withoutMemory: 'メモリなし',
  withoutMemoryText: 'このチャットでは、モデルはメモリの項目を参照せず、追加もしません。',

  chooseBot: 'ボットを選択',
  attach: 'ファイルを添付',
  dropFiles: 'ここにファイルをドロップして添付',
  attachments: '添付ファイル',
  removeFile: (name) => `${name} を削除`,
  files: (n) => plural(n, { other: '{n} 個のファイル' }),
  noVision: 'このモデルは画像を読み取れません。別のモデルを選ぶか、画像を削除してください。',
  fileRefused: {
    empty: (name) => `${name} は空のファイルです。`,
    unreadable: (name) =>
      `${name} は対応していない形式です。PDF、Office ファイル (DOCX、XLSX、PPTX)、テキストファイル、画像を添付してください。`,
    image_too_large: (name) => `${name} は大きすぎます。画像の上限は 3.75 MiB です。`,
    file_too_large: (name) => `${name} は大きすぎます。ファイルの上限は 10 MiB です。`,
    too_many_images: (name) => `${name} は添付されませんでした。1 件のメッセージに添付できる画像は 20 枚までです。`,
    too_many_files: (name) => `${name} は添付されませんでした。1 件のメッセージに添付できるファイルは 10 個までです。`,
    too_large_together: (name) => `${name} は添付されませんでした。1 件のメッセージのファイルは合計 14 MiB までです。`,
  },
  image: '画像',
  sentImage: '送信した画像',
  nthImage: (index) => `画像 ${index}`,
  fileRemoved: '保持ルールにより削除されました',
  download: 'ダウンロード',

  youWrote: 'あなたのメッセージ',
  replyBy: '回答:',
  editMessage: 'メッセージを編集',
  editLater: '新しいバージョンとして送信されます。元のバージョンも残ります。',
  editFirst: 'チャットの最初のメッセージは、新しいチャットとして送信されます。',
  versions: 'バージョン',
  version: (at, of) => `${at}/${of}`,
  earlierVersion: '前のバージョン',
  laterVersion: '次のバージョン',
  earlierMessages: '以前のメッセージを表示',
  latest: '最新へ',

  writing: '回答を生成中…',
  reasoning: '思考の過程',
  reasoningNow: '思考中…',
  continueReply: '続きを生成',
  again: '別の回答を生成',
  connectionLost: '接続が切れました。回答の生成はサーバーで続いています。',
  reconnect: '再接続',
  stopped: {
    cancelled: 'この回答を停止しました。',
    max_tokens: '回答が長さの上限に達しました。',
    max_tool_rounds: 'モデルによるツールの呼び出しが多すぎたため、回答が停止しました。',
    content_filtered: 'この回答はモデルのプロバイダーによってフィルタリングされました。',
  },
  guardrail: { blocked: 'ガードレールにより置換', masked: 'ガードレールによりマスク' },
  announced: {
    writing: '回答を生成しています。',
    waiting: '回答は承認を待っています。',
    done: '回答が終了しました。',
    failed: '回答の生成に失敗しました。',
    lost: '接続が切れました。',
  },

  code: 'コード',
  codeIn: (language) => `コード: ${language}`,
  diagram: '図',
  showCode: 'コードを表示',
  showDiagram: '図を表示',
  copyCode: 'コピー',
  showBeside: 'チャットの横に表示',
  table: '表',
  opensInNewTab: '(新しいタブで開きます)',
  imageAt: (alt) => (alt === '' ? '画像' : `画像: ${alt}`),
  source: 'ソース',
  sources: 'ソース',
  page: (page) => `${page} ページ`,
  citation: (rank, name, page) => `ソース ${rank}: ${name}${page === null ? '' : `、${page} ページ`}`,

  tool: (name) => `ツール: ${name}`,
  toolInput: '入力',
  toolResult: '結果',
  callStatus: { awaiting: '承認が必要', running: '実行中', succeeded: '成功', failed: '失敗', denied: '拒否' },
  wouldDo: (name) => `モデルが次の入力で ${name} を呼び出そうとしています:`,
  approvalText: (until) =>
    until === null
      ? '承認または拒否するまで、何も実行されません。'
      : `承認または拒否するまで、何も実行されません。${until} までに決定しない場合、回答はこの呼び出しなしで続きます。`,
  approvalEnded: (at) =>
    `承認の期限 (${at}) が過ぎました。回答はこの呼び出しなしで続きます。呼び出しが必要な場合は、回答が終わってからもう一度依頼してください。`,
  approvalOver: '期限内に承認されませんでした',
  approve: '承認',
  deny: '拒否',

  good: '良い回答',
  bad: '良くない回答',
  feedbackTitle: 'この回答のどこに問題がありますか?',
  feedbackReason: '理由',
  feedbackReasons: {
    incorrect: '内容が間違っている',
    incomplete: '内容が不十分',
    not_helpful: '役に立たない',
    wrong_source: '不適切なソースを使っている',
    harmful: '有害または不快な内容',
    other: 'その他',
  },
  feedbackComment: 'コメント (省略可)',
  feedbackHelp: '管理者が読むことができます。',
  sendFeedback: 'フィードバックを送信',
  feedbackThanks: 'フィードバックを保存しました。',

  details: '回答の詳細',
  costOfChat: 'このチャットのコスト',

  searchChats: 'チャットを検索',
  found: (n, hasMore) => plural(n, { other: hasMore ? '{n} 件を超えるチャット' : '{n} 件のチャット' }),
  noChats: 'チャットはまだありません。メッセージを送信すると始まります。',
  pinned: 'ピン留め',
  dateGroup: (group) => {
    if (typeof group === 'object')
      return new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(new Date(group.year, group.month));
    return { today: '今日', yesterday: '昨日', week: '過去 7 日間', month: '過去 30 日間' }[group];
  },
  actionsOf: (title) => `「${title}」の操作`,
};

import type { api as English } from '../../en/account/api.ts';

/** Texts of the page for programs that call models. */
export const api: typeof English = {
  text: 'プログラムは、OpenAI や Anthropic の SDK とツールで、この Parlance のモデルを呼び出せます。変更するのはベース URL とキーだけです。',

  tokens: 'プログラム用のトークン',
  tokensText: '「ボットを使わずにモデルを呼び出す」権限のあるトークンがキーになります。条件は、トークンを作り直さずに変更できます。',
  noTokens: 'モデルを呼び出せるトークンがありません',
  noTokensText: '「新しいトークン」で作成します。プログラムごとに分けると、個別に制限したり取り消したりできます。',

  models: 'モデル',
  modelsText: 'トークンで呼び出せるモデルです (トークンの条件で除外されたものを除きます)。料金は 100 万トークンあたりの米ドルです。',
  noModels: '呼び出せるモデルがありません',
  noModelsText: '管理者が「管理」の「モデルと料金」で接続する必要があります。',
  model: 'モデル',
  endpoints: 'エンドポイント',
  context: 'コンテキストウィンドウ',
  input: '入力',
  output: '出力',
  cached: (price) => `キャッシュ ${price}`,
  free: '無料',
  useOf: (name) => `${name} の使用例`,
  use: '使用例',

  examples: '使用例',
  examplesText: 'そのまま実行できる例です。トークンは環境変数 PARLANCE_TOKEN から読み込まれます。',
  setToken: 'シェルで 1 回実行',
  program: 'プログラム',
  programs: {
    curl: 'curl',
    'openai-python': 'OpenAI SDK、Python',
    'openai-node': 'OpenAI SDK、Node',
    'anthropic-python': 'Anthropic SDK、Python',
    'anthropic-typescript': 'Anthropic SDK、TypeScript',
    langchain: 'LangChain、Python',
    'claude-code': 'Claude Code',
    agents: 'OPENAI_BASE_URL を使うエージェント',
  },

  calls: '自分の呼び出し',
  callsText: '表示されるのは、この一覧の呼び出しのコストです。チャットとボットのコストは「使用量」ページにあります。',
  toUsage: '使用量',
};

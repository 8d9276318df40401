import type { api as English } from '../../en/account/api.ts';

export const api: typeof English = {
  text: '程序可以通过 OpenAI 和 Anthropic 的 SDK 及工具调用此实例的模型。只需更改基础 URL 和密钥。',

  tokens: '供程序使用的令牌',
  tokensText: '具有“调用模型（不经机器人）”权限的令牌就是密钥。其设置可以直接更改，无需更换令牌。',
  noTokens: '你没有可调用模型的令牌',
  noTokensText: '请选择“新建令牌”，为每个程序创建单独的令牌，以便分别限制和撤销。',

  models: '模型',
  modelsText: '你的令牌可以调用的模型，被令牌设置排除的除外。价格为每百万 Token 的美元价格。',
  noModels: '没有可调用的模型',
  noModelsText: '需要由管理员在“管理”的“模型和价格”中接入模型。',
  model: '模型',
  endpoints: '端点',
  context: '上下文窗口',
  input: '输入',
  output: '输出',
  cached: (price) => `缓存 ${price}`,
  free: '免费',
  useOf: (name) => `使用 ${name} 的示例`,
  use: '示例',

  examples: '示例',
  examplesText: '示例完整可用，从环境变量 PARLANCE_TOKEN 读取令牌。',
  setToken: '在 Shell 中执行一次',
  program: '程序',
  programs: {
    curl: 'curl',
    'openai-python': 'OpenAI SDK，Python',
    'openai-node': 'OpenAI SDK，Node',
    'anthropic-python': 'Anthropic SDK，Python',
    'anthropic-typescript': 'Anthropic SDK，TypeScript',
    langchain: 'LangChain，Python',
    'claude-code': 'Claude Code',
    agents: '读取 OPENAI_BASE_URL 的智能体',
  },

  calls: '你的调用',
  callsText: '此处为所列调用的费用。对话和机器人的费用在用量页面上。',
  toUsage: '用量',
};

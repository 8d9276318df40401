import type { chat as English } from '../en/chat.ts';
import { locale } from '../locale.ts';
import { plural } from '../plural.ts';

export const chat: typeof English = {
  newTitle: 'Como posso ajudar?',
  newText: 'Faça uma pergunta ou digite @ para escolher um bot.',
  unknownTitle: 'Chat não encontrado',
  unknownText: 'Ele foi excluído ou pertence a outro usuário.',
  untitled: 'Chat sem nome',
  placeholder: 'Escreva uma mensagem',
  chooseReply: 'Escolha uma resposta acima antes de enviar a próxima mensagem.',
  askBot: (bot) => `Pergunte a ${bot}`,
  composer: 'Nova mensagem',
  message: 'Mensagem',
  messages: 'Mensagens',
  send: 'Enviar',
  stop: 'Parar resposta',
  sending: 'Enviando…',
  notSent: 'A mensagem não foi enviada',
  notSentBecauseOf: (file) => `A mensagem não foi enviada por causa de ${file}`,
  retryIn: (seconds) =>
    plural(seconds, { one: 'Você pode enviar de novo em {n} segundo.', other: 'Você pode enviar de novo em {n} segundos.' }),
  retryAt: (time) => `Você pode enviar de novo a partir de ${time}.`,
  retryNow: 'Você já pode enviar de novo.',
  starters: 'Sugestões',
  botNotReady: {
    QUEUED: 'O conhecimento deste bot ainda está sendo lido. Até lá, as respostas podem não usá-lo.',
    RUNNING: 'O conhecimento deste bot ainda está sendo lido. Até lá, as respostas podem não usá-lo.',
    FAILED: 'Não foi possível ler o conhecimento deste bot. As respostas usam apenas o que foi lido antes.',
  },
  botUnavailable: 'Este bot não está disponível para você. Ele foi excluído ou não é mais compartilhado.',
  modelsUnknown: 'Não foi possível carregar os modelos. Recarregue a página.',
  noModel: 'Nenhum modelo disponível. Um administrador precisa conectar um.',
  model: 'Modelo',
  reason: 'Raciocinar antes',
  temporary: 'Temporário',
  temporaryText: (hours) =>
    `Este chat não aparece em listas nem em pesquisas e é excluído ${
      hours === undefined ? 'algumas horas' : plural(hours, { one: '{n} hora', other: '{n} horas' })
    } após a última mensagem. Até lá, os administradores podem vê-lo entre os seus chats.`,
  withoutMemory: 'Sem memória',
  withoutMemoryText: 'Neste chat, os modelos não veem entradas da sua memória nem adicionam outras.',

  chooseBot: 'Escolher bot',
  attach: 'Anexar arquivos',
  dropFiles: 'Solte os arquivos para anexá-los',
  attachments: 'Arquivos anexados',
  removeFile: (name) => `Remover ${name}`,
  files: (n) => plural(n, { one: '{n} arquivo', other: '{n} arquivos' }),
  noVision: 'Este modelo não vê imagens. Escolha outro modelo ou remova as imagens.',
  fileRefused: {
    empty: (name) => `${name} está vazio.`,
    unreadable: (name) =>
      `${name} é de um tipo que não pode ser lido. Anexe um PDF, um arquivo do Office (DOCX, XLSX, PPTX), um arquivo de texto ou uma imagem.`,
    image_too_large: (name) => `${name} é grande demais. O limite por imagem é de 3,75 MiB.`,
    file_too_large: (name) => `${name} é grande demais. O limite por arquivo é de 10 MiB.`,
    too_many_images: (name) => `${name} ficou de fora. Uma mensagem pode ter no máximo 20 imagens.`,
    too_many_files: (name) => `${name} ficou de fora. Uma mensagem pode ter no máximo 10 arquivos.`,
    too_large_together: (name) => `${name} ficou de fora. O limite para todos os arquivos de uma mensagem é de 14 MiB.`,
  },
  image: 'Imagem',
  sentImage: 'Imagem enviada',
  nthImage: (index) => `imagem ${index}`,
  fileRemoved: 'Removido por uma regra de retenção',
  download: 'Baixar',

  youWrote: 'Você escreveu',
  replyBy: 'Resposta de',
  editMessage: 'Editar mensagem',
  editLater: 'A edição é enviada como uma nova versão. A anterior é mantida.',
  editFirst: 'A primeira mensagem de um chat é enviada como um novo chat.',
  versions: 'Versões',
  version: (at, of) => `${at}/${of}`,
  earlierVersion: 'Versão anterior',
  laterVersion: 'Versão posterior',
  earlierMessages: 'Mostrar mensagens anteriores',
  latest: 'Mais recente',

  writing: 'Escrevendo…',
  reasoning: 'Raciocínio',
  reasoningNow: 'Raciocinando…',
  continueReply: 'Continuar',
  again: 'Gerar outra resposta',
  connectionLost: 'A conexão caiu. A resposta continua no servidor.',
  reconnect: 'Reconectar',
  stopped: {
    cancelled: 'Você parou esta resposta.',
    max_tokens: 'A resposta atingiu o limite de tamanho.',
    max_tool_rounds: 'O modelo chamou ferramentas vezes demais.',
    content_filtered: 'O provedor do modelo filtrou esta resposta.',
  },
  guardrail: { blocked: 'Substituída pelo guardrail', masked: 'Mascarada pelo guardrail' },
  announced: {
    writing: 'A resposta está sendo escrita.',
    waiting: 'A resposta aguarda sua decisão.',
    done: 'A resposta terminou.',
    failed: 'A resposta falhou.',
    lost: 'A conexão caiu.',
  },

  code: 'Código',
  codeIn: (language) => `Código: ${language}`,
  diagram: 'Diagrama',
  showCode: 'Mostrar código',
  showDiagram: 'Mostrar diagrama',
  copyCode: 'Copiar',
  showBeside: 'Mostrar ao lado do chat',
  table: 'Tabela',
  opensInNewTab: '(abre em uma nova aba)',
  imageAt: (alt) => (alt === '' ? 'Imagem' : `Imagem: ${alt}`),
  source: 'Fonte',
  sources: 'Fontes',
  page: (page) => `página ${page}`,
  citation: (rank, name, page) => `Fonte ${rank}: ${name}${page === null ? '' : `, página ${page}`}`,

  tool: (name) => `Ferramenta: ${name}`,
  toolInput: 'Entrada',
  toolResult: 'Resultado',
  callStatus: {
    awaiting: 'Requer sua aprovação',
    running: 'Em execução',
    succeeded: 'Concluída',
    failed: 'Falhou',
    denied: 'Negada',
  },
  wouldDo: (name) => `O modelo quer chamar ${name} com esta entrada:`,
  approvalText: (until) =>
    until === null
      ? 'Nada acontece até você decidir.'
      : `Nada acontece até você decidir. Sem uma decisão, a resposta continua sem a chamada em ${until}.`,
  approvalEnded: (at) =>
    `O prazo para sua decisão terminou em ${at}. A resposta continua sem a chamada. Se ainda quiser a chamada, peça novamente quando a resposta estiver completa.`,
  approvalOver: 'Não aprovada a tempo',
  approve: 'Aprovar',
  deny: 'Negar',

  good: 'Boa resposta',
  bad: 'Resposta ruim',
  feedbackTitle: 'O que há de errado com esta resposta?',
  feedbackReason: 'Motivo',
  feedbackReasons: {
    incorrect: 'Está incorreta',
    incomplete: 'Está incompleta',
    not_helpful: 'Não ajuda',
    wrong_source: 'Usa as fontes erradas',
    harmful: 'É nociva ou ofensiva',
    other: 'Outro motivo',
  },
  feedbackComment: 'Comentário (opcional)',
  feedbackHelp: 'Os administradores podem ler o comentário.',
  sendFeedback: 'Enviar feedback',
  feedbackThanks: 'Feedback salvo.',

  details: 'Detalhes da resposta',
  costOfChat: 'Custo deste chat',

  searchChats: 'Pesquisar chats',
  found: (n, hasMore) => (hasMore ? `Mais de ${n} chats` : plural(n, { one: '{n} chat', other: '{n} chats' })),
  noChats: 'Nenhum chat ainda. Escreva uma mensagem para começar.',
  pinned: 'Fixados',
  dateGroup: (group) => {
    if (typeof group === 'object') {
      const month = new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(new Date(group.year, group.month));
      return month.slice(0, 1).toUpperCase() + month.slice(1);
    }
    return { today: 'Hoje', yesterday: 'Ontem', week: 'Últimos 7 dias', month: 'Últimos 30 dias' }[group];
  },
  actionsOf: (title) => `Ações para ${title}`,
};

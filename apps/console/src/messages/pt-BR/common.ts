import type { ExceededBudget } from '@parlance/client';
import type { common as English } from '../en/common.ts';

const PERIODS = { DAY: 'diário', WEEK: 'semanal', MONTH: 'mensal' };
const OWNERS = {
  all: 'de todos os usuários',
  bot: 'deste bot',
  key: 'desta chave de API',
  token: 'deste token',
  cost_centre: 'deste centro de custo',
};

function nameOfBudget({ scope, group, period }: ExceededBudget): string {
  const name = `orçamento ${PERIODS[period]}`;
  return scope === 'user' ? `seu ${name}` : `${name} ${scope === 'group' ? `do grupo ${group}` : OWNERS[scope]}`;
}

export const common: typeof English = {
  appName: 'Parlance',
  save: 'Salvar',
  passwordHelp: 'Pelo menos 8 caracteres.',
  showPassword: 'Mostrar senha',
  cancel: 'Cancelar',
  close: 'Fechar',
  delete: 'Excluir',
  remove: 'Remover',
  create: 'Criar',
  search: 'Pesquisar',
  copy: 'Copiar',
  copied: 'Copiado',
  copyFailed: 'O navegador não permitiu a cópia. Selecione o texto e copie-o.',
  retry: 'Tentar novamente',
  back: 'Voltar',
  previous: 'Anterior',
  next: 'Próxima',
  more: 'Mais',
  loading: 'Carregando…',
  late: 'O servidor está demorando para responder. Carregando…',
  optional: 'opcional',
  actions: 'Ações',
  downloadCsv: 'Baixar CSV',
  asOf: (time) => `Atualizado em ${time}`,
  named: (name, value) => `${name}: ${value}`,
  requestId: (id) => `ID da solicitação: ${id}`,
  errorTitle: 'Não foi possível carregar',
  retriedLater: 'A página tenta novamente de forma automática.',
  partMissing: 'Não foi possível carregar uma parte desta página. Salve seu trabalho e recarregue a página.',
  noAnswer: 'O servidor não respondeu. Verifique sua conexão e tente novamente.',
  secretLost: 'A resposta com o segredo se perdeu, e o servidor não tem uma cópia. Exclua o novo item e crie outro.',
  budgetExceeded: (budget, time) => `Não há saldo suficiente no ${nameOfBudget(budget)}. Ele recomeça em ${time}.`,
  stepUpNeeded: 'Nada foi alterado. Tente novamente e confirme com seu segundo fator.',
  offline: 'Sem conexão com o servidor. A página continua quando a conexão voltar.',
  notFoundTitle: 'Página não encontrada',
  notFoundText: 'Verifique o endereço.',
  toStart: 'Ir para a página inicial',
  noAccessTitle: 'Esta página é só para administradores',
  noAccessText: 'Peça acesso a um administrador desta instalação.',
  skipToContent: 'Pular para o conteúdo',
  menu: 'Menu',
  openMenu: 'Abrir menu',
  closeMenu: 'Fechar menu',
  hideNavigation: 'Ocultar navegação',
  showNavigation: 'Mostrar navegação',
  commands: 'Pesquisa e comandos',
  account: 'Conta',
  signOut: 'Sair',
  newChat: 'Novo chat',
  chats: 'Chats',
  bots: 'Bots',
  store: 'Loja',
  prompts: 'Prompts',
  admin: 'Administração',
};

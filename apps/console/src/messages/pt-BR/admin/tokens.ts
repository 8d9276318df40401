import type { adminTokens as English } from '../../en/admin/tokens.ts';

const accounts: typeof English.accounts = {
  description: 'Usuários só para programas. Eles não têm senha e não podem entrar: programas agem em nome deles com tokens de acesso.',
  create: 'Nova conta de serviço',
  emptyTitle: 'Não há contas de serviço',
  emptyText:
    'Escolha “Nova conta de serviço” para criar uma conta para um programa que não age em nome de um único usuário, como um importador.',
  name: 'Nome',
  nameHelp: 'Por exemplo, o nome do programa.',
  nameMissing: 'Informe um nome.',
  owner: 'Proprietário',
  ownerHelp: 'O grupo proprietário da conta. A conta é membro dele e tem as permissões dele.',
  ownerMissing: 'Escolha um grupo.',
  chooseGroup: 'Escolher grupo',
  ownerGone: 'excluído',
  ownerGoneText: 'O grupo proprietário da conta foi excluído. Os tokens dela não são aceitos.',
  furtherGroups: 'Outros grupos',
  groups: 'Grupos',
  groupsText: 'Os grupos definem as permissões da conta de serviço. Uma alteração vale imediatamente para todos os tokens dela.',
  state: 'Status',
  enabled: 'Ativada',
  disabled: 'Desativada',
  created: 'Criada',
  createdNow: 'Conta de serviço criada. Crie um token para o programa dela.',
  facts: 'Conta',
  id: 'ID do usuário',
  all: 'Todas as contas de serviço',
  gone: 'Conta de serviço não encontrada',
  goneText: 'Ela pode ter sido excluída. Os custos dela continuam em todos os totais.',
  rename: 'Renomear',
  renameTitle: 'Renomear conta de serviço',
  renamed: 'Nome salvo.',
  disable: 'Desativar',
  disableTitle: 'Desativar a conta de serviço?',
  disableText: 'As solicitações com os tokens dela passam a ser recusadas. Nada é excluído, e você pode ativá-la novamente.',
  disabledNow: 'Conta de serviço desativada.',
  enable: 'Ativar',
  enabledNow: 'Conta de serviço ativada. Os tokens dela voltaram a ser aceitos.',
  deleteTitle: (name) => `Excluir ${name}?`,
  deleteText:
    'A conta de serviço, seus tokens e seu conteúdo, como bots e conversas, são removidos de todos os serviços. Os totais de custo não mudam. Essa ação não pode ser desfeita.',
  deleteForever: 'Excluir permanentemente',
  deletedTitle: 'Conta de serviço excluída',
  tokens: 'Tokens de acesso',
  noTokens: 'A conta de serviço não tem tokens de acesso',
  tokensText: 'Dê a cada programa um token próprio, para poder revogá-lo separadamente.',
};

const all: typeof English.all = {
  title: 'Tokens de acesso',
  description:
    'Os tokens de acesso de todos os usuários e contas de serviço, dos mais antigos aos mais novos. O acesso a esta página é registrado no log de auditoria.',
  owner: 'Em nome de',
  by: (name) => `Criado por ${name}`,
  none: 'Não há tokens de acesso',
  noneText: 'Os usuários os criam na página da própria conta, e os administradores, nas páginas das contas de serviço.',
};

export const adminTokens: typeof English = { accounts, all };

import type { retention as English } from '../../../en/admin/operations/retention.ts';
import { plural } from '../../../plural.ts';

export const retention: typeof English = {
  title: 'Retenção',
  description:
    'Regras que excluem conversas antigas, arquivos de mensagens antigas ou exportações antigas. Sem uma regra, só os usuários excluem conversas.',
  create: 'Nova regra',
  createTitle: 'Nova regra de retenção',
  createText: 'A regra ainda não exclui nada. Na próxima etapa, você vê quanto ela excluiria e pode ativá-la.',
  changeTitle: 'Alterar regra',
  changeText: 'Ao salvar uma alteração, a regra é desativada. Na próxima etapa, você vê quanto ela excluiria e pode ativá-la novamente.',
  emptyTitle: 'Não há regras',
  emptyText: 'As conversas são mantidas até que os usuários as excluam. Crie uma regra com “Nova regra”.',
  kind: 'O que ela exclui',
  kinds: { conversations: 'Conversas', exports: 'Exportações de conversas', uploads: 'Arquivos em conversas' },
  kindsHelp:
    'As exportações são os arquivos de cada hora e de cada dia para administradores. Remover exportações, ou as imagens e os anexos de mensagens, não exclui as conversas.',
  allExports: 'Todas as exportações',
  appliesTo: 'Aplica-se a',
  filesOf: (subject) => `Arquivos: ${subject}`,
  scopes: { all: 'Todas as conversas', bot: 'Conversas com um bot', group: 'Conversas de um grupo' },
  scopesHelp: 'Uma conversa é excluída assim que uma regra ativada se aplica a ela.',
  scopesHelpForFiles: 'Os arquivos de uma mensagem são removidos assim que uma regra ativada se aplica à conversa dela.',
  bot: 'Bot',
  botHelp: 'Digite palavras do título. Para um bot privado, informe o ID. As conversas da API publicada dele também são excluídas.',
  group: 'Grupo',
  groupHelp:
    'Aplica-se às conversas de usuários que estão no grupo quando a regra é executada, mas não às conversas das APIs publicadas deles.',
  missingBot: 'Escolha um bot da lista ou informe o ID dele.',
  missingGroup: 'Escolha um grupo.',
  days: 'Dias após a última mensagem',
  daysColumn: 'Dias',
  daysOfExports: 'Dias após o dia da exportação',
  daysOfUploads: 'Dias após a mensagem',
  daysHelp: 'De 1 a 3.650.',
  daysMissing: 'Informe um número de dias de 1 a 3.650.',
  after: (days) => plural(days, { one: 'Após {n} dia', other: 'Após {n} dias' }),
  ruleOf: (name, days) => plural(days, { one: `${name}, após {n} dia`, other: `${name}, após {n} dias` }),
  state: 'Status',
  enabled: 'Ativada',
  disabled: 'Desativada',
  created: 'Criada',
  enable: 'Ativar',
  enableOf: (rule) => `Ativar a regra: ${rule}`,
  disable: 'Desativar',
  disableOf: (rule) => `Desativar a regra: ${rule}`,
  change: 'Alterar',
  changeOf: (rule) => `Alterar a regra: ${rule}`,
  removeOf: (rule) => `Remover a regra: ${rule}`,
  enableTitle: 'Ativar a regra?',
  counting: 'Contando…',
  wouldDelete: (n) =>
    plural(n, {
      one: 'A regra exclui {n} conversa dentro de alguns minutos, e outras à medida que atingirem o prazo.',
      other: 'A regra exclui {n} conversas dentro de alguns minutos, e outras à medida que atingirem o prazo.',
    }),
  wouldDeleteMore: (n) =>
    plural(n, {
      other:
        'A regra exclui pelo menos {n} conversas dentro de alguns minutos, e outras à medida que atingirem o prazo. Nem todas foram contadas.',
    }),
  wouldDeleteNone: 'Nenhuma conversa atingiu o prazo ainda. A regra exclui as conversas à medida que o atingirem.',
  wouldDeleteResponses: (n) =>
    plural(n, {
      one: 'Ela também exclui {n} resposta armazenada por um programa.',
      other: 'Ela também exclui {n} respostas armazenadas por programas.',
    }),
  wouldRemoveExports: (n) =>
    plural(n, {
      one: 'A regra remove {n} arquivo dentro de alguns minutos, e outros à medida que atingirem o prazo.',
      other: 'A regra remove {n} arquivos dentro de alguns minutos, e outros à medida que atingirem o prazo.',
    }),
  wouldRemoveMore: (n) =>
    plural(n, {
      other:
        'A regra remove pelo menos {n} arquivos dentro de alguns minutos, e outros à medida que atingirem o prazo. Nem todos foram contados.',
    }),
  wouldRemoveNoUploads: 'Nenhum arquivo atingiu o prazo ainda. A regra remove os arquivos à medida que o atingirem.',
  uploadsAreGone: 'Arquivos removidos não podem ser restaurados. As mensagens permanecem e mostram que os arquivos foram removidos.',
  enableAndRemoveMore: (n) => plural(n, { other: 'Ativar e remover {n} ou mais arquivos' }),
  wouldRemoveNoExports: 'Nenhuma exportação atingiu o prazo ainda. A regra remove os arquivos à medida que o atingirem.',
  exportsAreWritten: 'Sem a regra, as exportações dos últimos 400 dias são gravadas novamente a partir das conversas que ainda existem.',
  enableAndRemove: (n) => plural(n, { one: 'Ativar e remover {n} arquivo', other: 'Ativar e remover {n} arquivos' }),
  cannotBeUndone: 'Conversas excluídas não podem ser restauradas. Os custos delas permanecem nos totais.',
  keptDisabled: 'Se você cancelar, a regra continua desativada e não exclui nada.',
  enableAndDelete: (n) => plural(n, { one: 'Ativar e excluir {n} conversa', other: 'Ativar e excluir {n} conversas' }),
  enableAndDeleteMore: (n) => plural(n, { other: 'Ativar e excluir {n} ou mais conversas' }),
  stale: 'Esta regra mudou depois que você abriu a caixa de diálogo. Feche-a para ver os valores atuais.',
  saved: 'Regra salva. Ela está desativada.',
  enabledNow: 'Regra ativada.',
  disabledNow: 'Regra desativada. Ela não exclui mais nada.',
  removeTitle: 'Remover a regra?',
  removeText: (rule) => `A regra “${rule}” não excluirá mais nada. O que ela já excluiu não é restaurado.`,
  removed: 'Regra removida.',
};

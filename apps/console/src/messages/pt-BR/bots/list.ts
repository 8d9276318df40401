import type { list as English } from '../../en/bots/list.ts';

export const list: typeof English = {
  title: 'Bots',
  description: 'Cada bot tem instruções, modelo e conhecimento próprios.',
  newBot: 'Novo bot',
  kinds: {
    label: 'Quais bots',
    mine: 'Meus',
    shared: 'Compartilhados comigo',
    starred: 'Favoritos',
    recent: 'Usados recentemente',
  },
  table: 'Bots',
  bot: 'Bot',
  sharing: 'Compartilhamento',
  knowledge: 'Conhecimento',
  ready: 'Pronto',
  created: 'Criado',
  used: 'Último uso',
  chat: 'Conversar',
  chatWith: (title) => `Conversar com ${title}`,
  star: (title) => `Favoritar ${title}`,
  unstar: (title) => `Remover ${title} dos favoritos`,
  forget: (title) => `Remover ${title} dos bots usados recentemente`,
  forgotten: 'Removido dos bots usados recentemente.',
  published: 'Publicado',
  empty: {
    mine: { title: 'Você ainda não tem bots', text: 'Dê instruções e arquivos a um bot, e ele responde com base neles.' },
    mineNotAllowed: {
      title: 'Você não tem bots',
      text: 'Você pode usar bots, mas não criá-los. Um administrador pode adicionar você ao grupo CreatingBotAllowed.',
    },
    shared: {
      title: 'Nenhum bot foi compartilhado com você',
      text: 'Os bots que outras pessoas compartilham com você, ou com todos os usuários, aparecem aqui.',
    },
    starred: { title: 'Você não tem bots favoritos', text: 'Favorite um bot para encontrá-lo aqui.' },
    recent: { title: 'Você ainda não usou nenhum bot', text: 'Os bots com que você conversou aparecem aqui.' },
  },
  toStore: 'Encontrar bots na loja',
};

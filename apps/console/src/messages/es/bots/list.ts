import type { list as English } from '../../en/bots/list.ts';

export const list: typeof English = {
  title: 'Bots',
  description: 'Los bots tienen instrucciones, modelo y conocimiento propios.',
  newBot: 'Nuevo bot',
  kinds: {
    label: 'Qué bots',
    mine: 'Míos',
    shared: 'Compartidos conmigo',
    starred: 'Favoritos',
    recent: 'Usados recientemente',
  },
  table: 'Bots',
  bot: 'Bot',
  sharing: 'Acceso',
  knowledge: 'Conocimiento',
  ready: 'Listo',
  created: 'Creado',
  used: 'Último uso',
  chat: 'Chatear',
  chatWith: (title) => `Chatear con ${title}`,
  star: (title) => `Agregar ${title} a favoritos`,
  unstar: (title) => `Quitar ${title} de favoritos`,
  forget: (title) => `Quitar ${title} de los bots usados recientemente`,
  forgotten: 'Quitado de los bots usados recientemente.',
  published: 'Publicado',
  empty: {
    mine: { title: 'Aún no tiene bots', text: 'Dé a un bot instrucciones y archivos, y responderá a partir de ellos.' },
    mineNotAllowed: {
      title: 'No tiene bots',
      text: 'Puede usar bots, pero no crearlos. Un administrador puede agregar su cuenta al grupo CreatingBotAllowed.',
    },
    shared: {
      title: 'Nadie ha compartido bots con usted',
      text: 'Aquí aparecen los bots que otras personas comparten con usted o con todos los usuarios.',
    },
    starred: { title: 'No tiene bots favoritos', text: 'Agregue un bot a favoritos para encontrarlo aquí.' },
    recent: { title: 'Aún no ha usado ningún bot', text: 'Aquí aparecen los bots con los que ha chateado.' },
  },
  toStore: 'Buscar bots en la tienda',
};

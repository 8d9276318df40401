import type { list as English } from '../../en/bots/list.ts';

export const list: typeof English = {
  title: 'Bots',
  description: 'Bots haben eine eigene Anweisung, ein eigenes Modell und eigenes Wissen.',
  newBot: 'Neuer Bot',
  kinds: { label: 'Welche Bots', mine: 'Meine', shared: 'Mit mir geteilt', starred: 'Favoriten', recent: 'Zuletzt genutzt' },
  table: 'Bots',
  bot: 'Bot',
  sharing: 'Freigabe',
  knowledge: 'Wissen',
  ready: 'Bereit',
  created: 'Erstellt',
  used: 'Zuletzt genutzt',
  chat: 'Chat',
  chatWith: (title) => `Chat mit ${title}`,
  star: (title) => `${title} favorisieren`,
  unstar: (title) => `${title} aus Favoriten entfernen`,
  forget: (title) => `${title} aus den zuletzt genutzten Bots entfernen`,
  forgotten: 'Aus den zuletzt genutzten Bots entfernt.',
  published: 'Veröffentlicht',
  empty: {
    mine: {
      title: 'Sie haben noch keine Bots',
      text: 'Geben Sie einem Bot eine Anweisung und Dateien, und er antwortet auf dieser Grundlage.',
    },
    mineNotAllowed: {
      title: 'Sie haben keine Bots',
      text: 'Sie können Bots nutzen, aber keine erstellen. Ein Administrator kann Sie zur Gruppe CreatingBotAllowed hinzufügen.',
    },
    shared: {
      title: 'Mit Ihnen werden keine Bots geteilt',
      text: 'Hier erscheinen Bots, die andere mit Ihnen oder mit allen Benutzern teilen.',
    },
    starred: { title: 'Sie haben keine Favoriten', text: 'Favorisieren Sie einen Bot, um ihn hier zu finden.' },
    recent: { title: 'Sie haben noch keine Bots genutzt', text: 'Hier erscheinen Bots, mit denen Sie gechattet haben.' },
  },
  toStore: 'Bots im Store suchen',
};

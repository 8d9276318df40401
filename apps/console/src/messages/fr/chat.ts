import type { chat as English } from '../en/chat.ts';
import { locale } from '../locale.ts';
import { plural } from '../plural.ts';

/** Names of months are not capitalized in French, but a heading is. */
const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Texts of the pages in pages/chat. */
export const chat: typeof English = {
  newTitle: 'Comment puis-je vous aider ?',
  newText: 'Posez une question, ou tapez @ pour choisir un bot.',
  unknownTitle: 'Cette conversation n’existe pas',
  unknownText: 'Elle a été supprimée ou appartient à un autre utilisateur.',
  untitled: 'Conversation sans titre',
  placeholder: 'Écrire un message',
  chooseReply: 'Choisissez une réponse ci-dessus avant d’envoyer le message suivant.',
  askBot: (bot) => `Écrire à ${bot}`,
  composer: 'Nouveau message',
  message: 'Message',
  messages: 'Messages',
  send: 'Envoyer',
  stop: 'Arrêter la réponse',
  sending: 'Envoi…',
  notSent: 'Le message n’a pas été envoyé',
  notSentBecauseOf: (file) => `Le message n’a pas été envoyé à cause du fichier ${file}`,
  retryIn: (seconds) =>
    plural(seconds, {
      one: 'Vous pourrez le renvoyer dans {n} seconde.',
      other: 'Vous pourrez le renvoyer dans {n} secondes.',
    }),
  retryAt: (time) => `Vous pourrez le renvoyer à partir du ${time}.`,
  retryNow: 'Vous pouvez maintenant le renvoyer.',
  starters: 'Suggestions',
  botNotReady: {
    QUEUED: 'Les connaissances de ce bot sont en cours de lecture. D’ici là, les réponses peuvent ne pas en tenir compte.',
    RUNNING: 'Les connaissances de ce bot sont en cours de lecture. D’ici là, les réponses peuvent ne pas en tenir compte.',
    FAILED: 'Les connaissances de ce bot n’ont pas pu être lues. Les réponses reposent uniquement sur ce qui avait été lu auparavant.',
  },
  botUnavailable: 'Ce bot n’est pas disponible pour vous. Il a été supprimé ou n’est plus partagé.',
  modelsUnknown: 'Les modèles n’ont pas pu être chargés. Rechargez la page.',
  noModel: 'Aucun modèle n’est disponible. Un administrateur doit en connecter un.',
  model: 'Modèle',
  reason: 'Raisonner d’abord',
  temporary: 'Temporaire',
  temporaryText: (hours) =>
    `Cette conversation n’apparaît ni dans les listes ni dans les recherches. Elle est supprimée ${
      hours === undefined ? 'quelques heures' : plural(hours, { one: '{n} heure', other: '{n} heures' })
    } après son dernier message. D’ici là, les administrateurs peuvent la voir parmi vos conversations.`,
  withoutMemory: 'Sans mémoire',
  withoutMemoryText: 'Dans cette conversation, les modèles ne voient aucune entrée de votre mémoire et n’en ajoutent pas.',

  chooseBot: 'Choisir un bot',
  attach: 'Joindre des fichiers',
  dropFiles: 'Déposez les fichiers pour les joindre',
  attachments: 'Fichiers joints',
  removeFile: (name) => `Retirer ${name}`,
  files: (n) => plural(n, { one: '{n} fichier', other: '{n} fichiers' }),
  noVision: 'Ce modèle ne voit pas les images. Choisissez un autre modèle ou retirez les images.',
  fileRefused: {
    empty: (name) => `${name} est vide.`,
    unreadable: (name) =>
      `${name} : ce type de fichier n’est pas pris en charge. Joignez un PDF, un fichier Office (DOCX, XLSX, PPTX), un fichier texte ou une image.`,
    image_too_large: (name) => `${name} est trop volumineux. La limite pour une image est de 3,75 Mio.`,
    file_too_large: (name) => `${name} est trop volumineux. La limite pour un fichier est de 10 Mio.`,
    too_many_images: (name) => `${name} a été écarté. Un message peut contenir 20 images au maximum.`,
    too_many_files: (name) => `${name} a été écarté. Un message peut contenir 10 fichiers au maximum.`,
    too_large_together: (name) => `${name} a été écarté. La limite pour l’ensemble des fichiers d’un message est de 14 Mio.`,
  },
  image: 'Image',
  sentImage: 'Image envoyée',
  nthImage: (index) => `l’image ${index}`,
  fileRemoved: 'Supprimé par une règle de conservation',
  download: 'Télécharger',

  youWrote: 'Vous avez écrit',
  replyBy: 'Réponse :',
  editMessage: 'Modifier le message',
  editLater: 'Il est envoyé comme nouvelle version. La précédente est conservée.',
  editFirst: 'Le premier message d’une conversation est envoyé dans une nouvelle conversation.',
  versions: 'Versions',
  version: (at, of) => `${at}/${of}`,
  earlierVersion: 'Version précédente',
  laterVersion: 'Version suivante',
  earlierMessages: 'Afficher les messages précédents',
  latest: 'Derniers messages',

  writing: 'Rédaction…',
  reasoning: 'Raisonnement',
  reasoningNow: 'Raisonnement…',
  continueReply: 'Continuer',
  again: 'Générer une autre réponse',
  connectionLost: 'La connexion a été perdue. La réponse se poursuit sur le serveur.',
  reconnect: 'Se reconnecter',
  stopped: {
    cancelled: 'Vous avez arrêté cette réponse.',
    max_tokens: 'La réponse a atteint sa longueur maximale.',
    max_tool_rounds: 'Le modèle a appelé des outils trop souvent.',
    content_filtered: 'Le fournisseur du modèle a filtré cette réponse.',
  },
  guardrail: { blocked: 'Remplacée par le garde-fou', masked: 'Masquée par le garde-fou' },
  announced: {
    writing: 'La réponse est en cours de rédaction.',
    waiting: 'La réponse attend votre décision.',
    done: 'La réponse est terminée.',
    failed: 'La réponse a échoué.',
    lost: 'La connexion a été perdue.',
  },

  code: 'Code',
  codeIn: (language) => `Code : ${language}`,
  diagram: 'Diagramme',
  showCode: 'Afficher le code',
  showDiagram: 'Afficher le diagramme',
  copyCode: 'Copier',
  showBeside: 'Afficher à côté',
  table: 'Tableau',
  opensInNewTab: '(s’ouvre dans un nouvel onglet)',
  imageAt: (alt) => (alt === '' ? 'Image' : `Image : ${alt}`),
  source: 'Source',
  sources: 'Sources',
  page: (page) => `page ${page}`,
  citation: (rank, name, page) => `Source ${rank} : ${name}${page === null ? '' : `, page ${page}`}`,

  tool: (name) => `Outil : ${name}`,
  toolInput: 'Entrée',
  toolResult: 'Résultat',
  callStatus: {
    awaiting: 'Approbation requise',
    running: 'En cours',
    succeeded: 'Réussi',
    failed: 'Échec',
    denied: 'Refusé',
  },
  wouldDo: (name) => `Le modèle souhaite appeler ${name} avec cette entrée :`,
  approvalText: (until) =>
    until === null
      ? 'Rien ne se passe tant que vous n’avez pas décidé.'
      : `Rien ne se passe tant que vous n’avez pas décidé. Sans décision de votre part, la réponse se poursuivra sans cet appel (échéance : ${until}).`,
  approvalEnded: (at) =>
    `Le délai de décision est écoulé (échéance : ${at}). La réponse se poursuit sans cet appel. Si vous le souhaitez toujours, redemandez-le une fois la réponse terminée.`,
  approvalOver: 'Non approuvé à temps',
  approve: 'Approuver',
  deny: 'Refuser',

  good: 'Bonne réponse',
  bad: 'Mauvaise réponse',
  feedbackTitle: 'Quel est le problème avec cette réponse ?',
  feedbackReason: 'Motif',
  feedbackReasons: {
    incorrect: 'Elle est inexacte',
    incomplete: 'Elle est incomplète',
    not_helpful: 'Elle n’est pas utile',
    wrong_source: 'Elle s’appuie sur les mauvaises sources',
    harmful: 'Elle est dangereuse ou offensante',
    other: 'Autre',
  },
  feedbackComment: 'Commentaire (facultatif)',
  feedbackHelp: 'Les administrateurs peuvent le lire.',
  sendFeedback: 'Envoyer l’évaluation',
  feedbackThanks: 'Évaluation enregistrée.',

  details: 'Détails de la réponse',
  costOfChat: 'Coût de cette conversation',

  searchChats: 'Rechercher une conversation',
  found: (n, hasMore) =>
    hasMore
      ? plural(n, { one: 'Plus de {n} conversation', other: 'Plus de {n} conversations' })
      : plural(n, { one: '{n} conversation', other: '{n} conversations' }),
  noChats: 'Aucune conversation pour l’instant. Écrivez un message pour commencer.',
  pinned: 'Épinglées',
  dateGroup: (group) => {
    if (typeof group === 'object')
      return capitalized(new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }).format(new Date(group.year, group.month)));
    return { today: 'Aujourd’hui', yesterday: 'Hier', week: '7 derniers jours', month: '30 derniers jours' }[group];
  },
  actionsOf: (title) => `Actions pour ${title}`,
};

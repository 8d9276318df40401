import type { entry as English } from '../en/entry.ts';
import { plural } from '../plural.ts';

/** Texts of the page that connects a model. */
const modelPage: (typeof English)['modelPage'] = {
  title: 'Ajouter un modèle à la configuration',
  description:
    'Pour les exploitants : les modèles de la configuration sont les mêmes après chaque nouvelle installation et ne peuvent pas être modifiés dans la console. Un redémarrage est nécessaire.',
  withoutRestart: 'Le connecter plutôt sans redémarrage',
  providerStep: '1. Choisir un fournisseur',
  provider: 'Fournisseur',
  providers: {
    anthropic: 'Anthropic',
    openai: 'OpenAI',
    bedrock: 'Amazon Bedrock',
    openai_compatible: 'Un serveur compatible avec OpenAI (vLLM, Ollama, LiteLLM)',
  },
  region: 'Région',
  regionHelp: 'Les modèles intégrés utilisent des profils d’inférence pour les régions des États-Unis.',
  baseUrl: 'Adresse du serveur',
  baseUrlHelp: 'Avec /v1. Parlance doit pouvoir y accéder.',
  modelName: 'Nom du modèle sur le serveur',
  contextWindow: 'Fenêtre de contexte en tokens',
  configurationStep: '2. Ajouter ceci à la configuration',
  configurationText:
    'Remplacez le texte en majuscules par votre clé. Utilisez soit le fichier parlance.config.json, dans le dossier où Parlance est démarré, soit la variable d’environnement. Redémarrez ensuite Parlance.',
  keyNote: 'Les clés ont leur place dans la configuration du serveur. Cette page ne demande jamais la vôtre et ne l’envoie jamais.',
  file: 'parlance.config.json',
  variable: 'Variable d’environnement',
  checkStep: '3. Vérifier le fonctionnement',
  checkText:
    'Après le redémarrage, choisissez l’un des modèles disponibles. La vérification consiste en un court appel, qui vous est facturé.',
  model: 'Modèle',
  reload: 'Actualiser la liste',
  noModels: 'Aucun modèle d’un fournisseur n’est encore disponible. Ajoutez la configuration, redémarrez Parlance et actualisez la liste.',
  check: 'Vérifier le modèle',
  works: (model, seconds) => `${model} a répondu en ${seconds}.`,
  fails: (model) => `${model} ne fonctionne pas encore`,
  startChat: 'Démarrer une conversation avec ce modèle',
};

/** Texts of the pages in pages/entry. */
export const entry: typeof English = {
  signIn: 'Se connecter',
  signInTitle: 'Connexion à Parlance',
  language: 'Langue',
  sessionEnded: 'Votre session a pris fin. Connectez-vous pour continuer. Les messages non envoyés sont conservés.',
  email: 'E-mail',
  password: 'Mot de passe',
  signInWith: (provider) => `Se connecter avec ${provider}`,
  or: 'ou',
  providerErrors: {
    invalid_oidc_state: 'La connexion n’a pas été lancée dans ce navigateur, ou l’a été il y a plus de dix minutes. Recommencez.',
    oidc_refused:
      'Le fournisseur d’identité n’a pas confirmé votre identité. Réessayez et, si le problème persiste, adressez-vous à un administrateur.',
    email_not_verified:
      'Le fournisseur d’identité n’indique pas que votre adresse e-mail est vérifiée. Vérifiez-la chez ce fournisseur, puis reconnectez-vous.',
    email_domain_not_allowed:
      'Les adresses de votre domaine de messagerie ne sont pas acceptées depuis ce fournisseur. Demandez l’accès à un administrateur.',
    no_such_account:
      'Vous n’avez pas de compte ici, et la connexion avec ce fournisseur n’en crée pas. Demandez un compte à un administrateur.',
    user_disabled: 'Votre compte est désactivé. Demandez à un administrateur de l’activer.',
    provider_not_found: 'Ce fournisseur d’identité n’est plus configuré ici. Choisissez un autre moyen de connexion.',
    oidc_provider_unavailable: 'Le fournisseur d’identité ne répond pas. Attendez une minute et réessayez.',
  },
  providerFailed: (code) =>
    `La connexion avec le fournisseur d’identité a échoué. Réessayez. Si le problème persiste, communiquez le code ${code} à un administrateur.`,
  noAccount: 'Pas encore de compte ?',
  forgotten: 'Si vous avez oublié votre mot de passe, demandez à un administrateur un lien pour en définir un nouveau.',
  forgottenLink: 'Mot de passe oublié ?',
  forgottenTitle: 'Réinitialiser le mot de passe par e-mail',
  forgottenText: 'Vous recevrez un e-mail contenant un lien, valable une seule fois pendant une heure.',
  sendLink: 'Envoyer le lien',
  linkSent: (email) =>
    `Si ${email} est l’adresse d’un utilisateur qui se connecte avec un mot de passe, un e-mail contenant un lien vient d’être envoyé. Si rien n’arrive dans les prochaines minutes, adressez-vous à un administrateur.`,
  backToSignIn: 'Retour à la connexion',
  waitSeconds: (n) => plural(n, { one: 'Vous pourrez réessayer dans {n} seconde.', other: 'Vous pourrez réessayer dans {n} secondes.' }),
  waitMinutes: (n) => plural(n, { one: 'Vous pourrez réessayer dans {n} minute.', other: 'Vous pourrez réessayer dans {n} minutes.' }),

  signUp: 'Créer un compte',
  signUpTitle: 'Créer un compte',
  firstName: 'Prénom',
  lastName: 'Nom',
  hasAccount: 'Vous avez déjà un compte ?',
  signUpClosed: 'L’inscription est désactivée ici',
  signUpClosedText: 'Demandez un compte à un administrateur de cette instance.',
  allowedDomains: (domains) => `L’inscription est réservée aux adresses de ces domaines : ${domains}.`,

  newPassword: 'Nouveau mot de passe',
  temporaryPassword: 'Mot de passe actuel',
  setPassword: 'Définir le mot de passe',
  passwordTitle: 'Choisir un nouveau mot de passe',
  passwordText:
    'Votre mot de passe a été défini par une autre personne, ou affiché au démarrage de Parlance. Choisissez-en un que personne d’autre ne connaît.',
  passwordChanged: 'Mot de passe modifié.',

  invitationTitle: 'Accepter l’invitation',
  invitationText: (email) => `Le compte sera associé à ${email}.`,
  invitationIncompleteText: 'Ouvrez le lien complet reçu par e-mail. Chaque lien ne fonctionne qu’une fois.',
  accept: 'Créer le compte',
  verificationTitle: 'Confirmer votre adresse e-mail',
  verify: 'Confirmer l’adresse',
  emailNotVerified: 'Votre adresse e-mail n’est pas encore confirmée. Ouvrez le lien reçu par e-mail, ou demandez-en un autre.',
  signedUpText: (email) => `Compte créé. Un e-mail contenant un lien vient d’être envoyé à ${email}. Ouvrez le lien, puis connectez-vous.`,
  anotherMail: 'Envoyer un autre e-mail',
  verificationSent: (email) =>
    `Un e-mail est envoyé à ${email}, sauf si un autre l’a été dans les cinq dernières minutes. Ouvrez le lien du plus récent, puis reconnectez-vous.`,
  verified: 'Adresse confirmée. Vous pouvez maintenant vous connecter.',
  resetTitle: 'Définir un nouveau mot de passe',
  resetText: 'Toutes vos sessions seront fermées. Connectez-vous ensuite avec le nouveau mot de passe.',
  resetDone: 'Mot de passe modifié. Connectez-vous avec le nouveau.',
  resetIncomplete: 'Ce lien est incomplet',
  resetIncompleteText: 'Ouvrez le lien complet que vous avez reçu. Chaque lien ne fonctionne qu’une fois.',

  welcomeTitle: 'Bienvenue dans Parlance',
  welcomeText: 'Vous administrez cette instance. Choisissez un nouveau mot de passe pour commencer.',
  welcomeStarting: 'Connexion…',
  welcomeIncomplete: 'Ce lien est incomplet',
  welcomeIncompleteText: 'Ouvrez le lien complet que Parlance a affiché au démarrage, ou connectez-vous.',
  welcomeUsed: 'Ce lien a déjà été utilisé. Connectez-vous avec votre mot de passe.',
  welcomeFailed: 'Ce lien ne fonctionne plus',
  welcomeFailedText:
    'Le lien affiché par Parlance fonctionne jusqu’au changement du mot de passe. Connectez-vous avec votre nouveau mot de passe.',

  firstSteps: 'Prochaines étapes',
  hideFirstSteps: 'Masquer ces suggestions',
  makeBot: 'Créer un bot à partir de fichiers',
  makeBotText: 'Ajoutez des documents et obtenez des réponses qui les citent.',
  connectModel: 'Connecter un modèle',
  connectModelText: 'Utilisez des modèles d’Anthropic, d’OpenAI ou d’Amazon Bedrock, ou votre propre serveur.',

  modelPage,
};

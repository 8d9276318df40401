import { formatNumber } from '../format.ts';
import type { KnowledgeReasonTexts } from '../knowledge-reason-texts.ts';
import { plural } from '../plural.ts';

/** Why runs that read knowledge fail. */
export const knowledgeReasons: KnowledgeReasonTexts = {
  sourcesFailed: (failed, total) =>
    total === 1 ? 'La seule source n’a pas pu être lue.' : `Sources non lues : ${formatNumber(failed)} sur ${formatNumber(total)}.`,
  causes: {
    sources_empty: 'Aucune source ne contient de texte.',
    deadline_passed: 'Les sources n’ont pas été lues à temps. Enregistrez de nouveau le bot, ou réduisez le nombre de ses sources.',
    storage_unavailable:
      'Le stockage d’objets de cette instance ne répond pas : aucun fichier ne peut être lu et aucun index ne peut être écrit.',
    reader_not_started: 'Les fichiers n’ont pas été lus, car cette instance ne peut pas démarrer le programme qui lit les fichiers.',
    model_unavailable: 'Un modèle nécessaire à la lecture ne répond pas.',
    model_refused: 'Un modèle nécessaire à la lecture refuse les requêtes de cette instance.',
    fault: 'Une erreur de cette instance a interrompu la lecture.',
  },
  unchanged: 'Les connaissances du bot n’ont pas changé.',
  others: (count) => plural(count, { one: '{n} autre source n’est pas affichée.', other: '{n} autres sources ne sont pas affichées.' }),
  correct: 'Corrigez ou supprimez ces sources, puis relisez les sources.',
  retry: 'Une nouvelle tentative aura lieu automatiquement.',
  askAdministrator: (runId) =>
    `Enregistrez de nouveau le bot plus tard. Si cela ne suffit pas, adressez-vous à un administrateur, qui trouvera la cause dans le journal sous ${runId}.`,
  problems: {
    access_denied: 'L’accès est refusé. Rendez la source publique, ou envoyez son contenu sous forme de fichier.',
    address_forbidden:
      'Cette instance n’a pas le droit de lire cette adresse. Utilisez-en une autre, ou adressez-vous à un administrateur.',
    address_invalid: 'Cette adresse n’est pas valide. Corrigez-la.',
    answer_invalid: 'La réponse du serveur est inutilisable. Vérifiez l’adresse dans un navigateur.',
    bucket_forbidden: 'Cette instance n’a pas le droit de lire ce bucket. Demandez à un administrateur de l’autoriser.',
    budget_exceeded: 'Un budget est épuisé : le modèle ne lit plus de pages.',
    busy: 'Le serveur est surchargé. Relisez les sources plus tard.',
    chunking_invalid: 'Le découpage ne convient pas à ce fichier. Modifiez-le sur la page Modifier.',
    crashed:
      'Le programme qui lit les fichiers s’est arrêté pendant la lecture de celui-ci. Enregistrez-le de nouveau dans son application, puis renvoyez-le.',
    damaged: 'Le fichier est endommagé. Ouvrez-le dans son application, enregistrez-le de nouveau, puis renvoyez-le.',
    encrypted: 'Le fichier est protégé. Enregistrez-le sans mot de passe ni protection, puis renvoyez-le.',
    excluded: 'Les motifs du bot excluent cette page. Modifiez les motifs, ou supprimez la page.',
    memory_exceeded: 'La lecture de ce fichier demande trop de mémoire. Divisez-le en plusieurs fichiers.',
    no_text: 'Aucun texte n’a été trouvé. Utilisez un fichier ou une page qui contient du texte.',
    noindex: 'La page demande aux robots de ne pas l’utiliser. Supprimez-la, ou envoyez son contenu sous forme de fichier.',
    not_found: 'Cette adresse n’existe pas. Corrigez-la ou supprimez-la.',
    not_uploaded: 'Le fichier n’a pas été envoyé. Envoyez-le, puis relisez les sources.',
    page_not_read: 'Le modèle n’a pas lu une page. Réessayez plus tard, ou choisissez un autre modèle.',
    pattern_invalid: 'Les motifs du bot sont trop nombreux, trop longs ou vides. Raccourcissez la liste.',
    redirect_refused: 'L’adresse redirige vers un autre site. Utilisez l’adresse de ce site.',
    robots_disallowed:
      'Le fichier robots.txt du site n’autorise pas la lecture. Adressez-vous au propriétaire du site, ou supprimez l’adresse.',
    robots_unreachable: 'Le fichier robots.txt du site n’a pas pu être lu : ses règles sont inconnues. Relisez les sources plus tard.',
    sitemap_invalid: 'Ce n’est pas un sitemap valide. Utilisez un sitemap XML, ou un texte avec une adresse par ligne.',
    timeout: 'La lecture a pris trop de temps. Réessayez plus tard, ou divisez le contenu.',
    too_deep: 'Le contenu comporte trop de niveaux imbriqués. Enregistrez-le sous une forme plus simple, comme PDF ou TXT.',
    too_large: 'Le contenu est trop volumineux. Divisez-le en plusieurs fichiers.',
    too_many_items: 'Il y a trop de pages, de fichiers ou d’objets. Restreignez la source.',
    type_unknown: 'Ce type de contenu ne peut pas être lu. Utilisez un autre format.',
    unreachable: 'Le serveur est injoignable. Vérifiez l’adresse, ou relisez les sources plus tard.',
    unsafe: 'Le fichier ressemble à une attaque. Enregistrez-le de nouveau dans son application, puis renvoyez-le.',
  },
};

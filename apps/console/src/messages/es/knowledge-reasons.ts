import { formatNumber } from '../format.ts';
import type { KnowledgeReasonTexts } from '../knowledge-reason-texts.ts';
import { plural } from '../plural.ts';

/** Why runs that read knowledge fail. */
export const knowledgeReasons: KnowledgeReasonTexts = {
  sourcesFailed: (failed, total) =>
    total === 1
      ? 'No se pudo leer la única fuente.'
      : `Fuentes que no se pudieron leer: ${formatNumber(failed)} de ${formatNumber(total)}.`,
  causes: {
    sources_empty: 'Ninguna fuente contiene texto.',
    deadline_passed: 'Las fuentes no se leyeron a tiempo. Guarde el bot de nuevo o asígnele menos fuentes.',
    storage_unavailable:
      'El almacén de objetos de esta instalación no responde, por lo que no se pueden leer archivos ni escribir índices.',
    reader_not_started: 'Los archivos no se leyeron porque esta instalación no puede iniciar el programa que lee archivos.',
    model_unavailable: 'Un modelo necesario para la lectura no responde.',
    model_refused: 'Un modelo necesario para la lectura rechaza las solicitudes de esta instalación.',
    fault: 'Un error de esta instalación interrumpió la lectura.',
  },
  unchanged: 'El conocimiento del bot no ha cambiado.',
  others: (count) => plural(count, { one: 'Hay {n} fuente más.', other: 'Hay {n} fuentes más.' }),
  correct: 'Corrija o quite estas fuentes y lea las fuentes de nuevo.',
  retry: 'La lectura se intentará de nuevo automáticamente.',
  askAdministrator: (runId) =>
    `Guarde el bot de nuevo más tarde. Si eso no ayuda, consulte a un administrador, que encontrará la causa en el registro con el ID ${runId}.`,
  problems: {
    access_denied: 'Se deniega el acceso. Haga pública la fuente o cargue su contenido como archivo.',
    address_forbidden: 'Esta instalación no puede leer esta dirección. Use otra o consulte a un administrador.',
    address_invalid: 'Esta dirección no es válida. Corríjala.',
    answer_invalid: 'El servidor envió una respuesta que no se puede usar. Compruebe la dirección en un navegador.',
    bucket_forbidden: 'Esta instalación no puede leer este bucket. Pida a un administrador que lo permita.',
    budget_exceeded: 'Un presupuesto está agotado, por lo que el modelo no lee más páginas.',
    busy: 'El servidor está ocupado. Lea las fuentes de nuevo más tarde.',
    chunking_invalid: 'La división en fragmentos no sirve para este archivo. Cámbiela en la página «Editar».',
    crashed: 'El programa que lee archivos se cerró mientras leía este. Guárdelo de nuevo en su aplicación y vuelva a cargarlo.',
    damaged: 'El archivo está dañado. Ábralo en su aplicación, guárdelo de nuevo y vuelva a cargarlo.',
    encrypted: 'El archivo está protegido. Guárdelo sin contraseña ni protección y vuelva a cargarlo.',
    excluded: 'Los patrones del bot excluyen la página. Cambie los patrones o quite la página.',
    memory_exceeded: 'La lectura de este archivo necesita demasiada memoria. Divídalo en varios archivos.',
    no_text: 'No se encontró texto. Use un archivo o una página con texto.',
    noindex: 'La página pide a los robots que no la usen. Quítela o cargue su contenido como archivo.',
    not_found: 'Esta dirección no existe. Corríjala o quítela.',
    not_uploaded: 'El archivo no se cargó. Cárguelo y lea las fuentes de nuevo.',
    page_not_read: 'El modelo no leyó una página. Inténtelo más tarde o elija otro modelo.',
    pattern_invalid: 'Los patrones del bot son demasiados, demasiado largos o están vacíos. Acorte la lista.',
    redirect_refused: 'La dirección redirige a otro sitio. Use la dirección de ese sitio.',
    robots_disallowed: 'El archivo robots.txt del sitio no permite la lectura. Consulte al propietario del sitio o quite la dirección.',
    robots_unreachable:
      'No se pudo leer el archivo robots.txt del sitio, por lo que no se conocen sus reglas. Lea las fuentes de nuevo más tarde.',
    sitemap_invalid: 'No es un sitemap válido. Use un sitemap XML o un texto con una dirección por línea.',
    timeout: 'La lectura tardó demasiado. Inténtelo más tarde o divida el contenido.',
    too_deep: 'El contenido tiene demasiados niveles anidados. Guárdelo en una forma más sencilla, como PDF o TXT.',
    too_large: 'El contenido es demasiado grande. Divídalo en varios archivos.',
    too_many_items: 'Hay demasiadas páginas, archivos u objetos. Restrinja la fuente.',
    type_unknown: 'Este tipo de contenido no se puede leer. Use otro formato.',
    unreachable: 'No se puede acceder al servidor. Compruebe la dirección o lea las fuentes de nuevo más tarde.',
    unsafe: 'El archivo parece un ataque. Guárdelo de nuevo en su aplicación y vuelva a cargarlo.',
  },
};

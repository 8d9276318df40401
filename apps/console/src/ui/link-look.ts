const ofFinger = 'max-sm:inline-flex max-sm:min-h-11 max-sm:items-center';

/** A link in a table or beside a name. On phones it is high enough to tap. */
export const linkLook = `text-accent underline-offset-4 hover:underline ${ofFinger}`;

/** A link in a sentence. It is underlined, because colour alone does not show it. */
export const linkInTextLook = `text-accent underline underline-offset-2 hover:no-underline ${ofFinger}`;

/** A link on its own line. */
export const linkInLineLook = 'inline-flex min-h-8 items-center text-sm text-accent hover:underline max-sm:min-h-11';

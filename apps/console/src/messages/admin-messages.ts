import { admin } from './en/admin.ts';
import { adminOperations } from './en/admin/operations.ts';
import { adminPeople } from './en/admin/people.ts';
import { chosenLanguage, type Language, type Messages, useMessages } from './index.ts';

const en = { ...admin, people: adminPeople, operations: adminOperations };

/** The texts of the administration, loaded with its first page. A language without them does not compile. */
const TEXTS: Readonly<Record<Language, typeof en>> = { en };

export type AdminMessages = Messages & { readonly admin: typeof en };

let made: { readonly from: Messages; readonly all: AdminMessages } | null = null;

/** All texts of the chosen language, the administration's included. */
export function useAdminMessages(): AdminMessages {
  const from = useMessages();
  if (made?.from !== from) made = { from, all: { ...from, admin: TEXTS[chosenLanguage()] } };
  return made.all;
}

import { HARMLESS, type ServiceCalls } from '@parlance/calls';

interface PromptPage {
  readonly prompts: readonly object[];
  readonly next: string | null;
}

/** The JSON of the prompts that a user owns, in parts. `checkIn` is called before each page, and throws to stop. */
export async function* ownPrompts(calls: ServiceCalls, userId: string, checkIn: () => Promise<void>): AsyncGenerator<string> {
  let separator = '[\n';
  let after: string | null = null;
  do {
    await checkIn();
    const request: object = { user_id: userId, ...(after !== null && { after }) };
    const page: PromptPage = await calls.post<PromptPage>('bots', '/internal/prompts/exported', request, HARMLESS);
    for (const prompt of page.prompts) {
      yield separator + JSON.stringify(prompt);
      separator = ',\n';
    }
    after = page.next;
  } while (after !== null);
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

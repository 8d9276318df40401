/** The value of a variable that LiteLLM's configuration names with `os.environ/NAME`. Undefined if it is not set, or empty. */
export const environmentVariable = (name: string): string | undefined => process.env[name] || undefined;

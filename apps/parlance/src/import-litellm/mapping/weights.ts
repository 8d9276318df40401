export interface Weighted {
  readonly weight: number | null;
  readonly rpm: number | null;
  readonly tpm: number | null;
}

const HIGHEST_WEIGHT = 1_000;

/**
 * LiteLLM weights by `weight`, else by `rpm`, else by `tpm`: by the first of them that the first deployment has. Parlance takes whole numbers from
 * 1 to 1,000. `left`: deployments with the weight 0.
 */
export function weightsOf(members: readonly Weighted[]): { readonly weights: readonly number[]; readonly left: readonly number[] } {
  const field = (['weight', 'rpm', 'tpm'] as const).find((name) => members[0]?.[name] != null);
  const raw = members.map((member) => (field ? Math.max(0, member[field] ?? 0) : 1));
  const highest = Math.max(...raw);
  if (highest === 0) return { weights: members.map(() => 1), left: [] };
  // Small whole numbers stay as they are.
  const isWhole = raw.every(Number.isInteger) && highest <= HIGHEST_WEIGHT;
  const scaled = raw.map((weight) => (weight === 0 ? 0 : isWhole ? weight : Math.max(1, Math.round((weight * HIGHEST_WEIGHT) / highest))));
  const factor = isWhole ? 1 : scaled.reduce(divisorOf);
  return { weights: scaled.map((weight) => weight / factor), left: scaled.flatMap((weight, index) => (weight === 0 ? [index] : [])) };
}

const divisorOf = (one: number, other: number): number => (other === 0 ? one : divisorOf(other, one % other));

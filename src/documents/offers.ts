import { OperatorError, throwIfAny } from '../errors.ts';
import { isEmbedKey, type KeySummary } from '../keys/key.ts';
import { quote } from '../text/plain-text.ts';

/** What a published document can be offered as, beside requests for it, and what that means. */
export const offers = {
  feed: 'an Atom feed of its list',
  tool: 'a tool for agents that connect with the key',
} as const;
export type Offer = keyof typeof offers;

/** What a document is offered as: nothing by default. */
export type Offers = Readonly<Partial<Record<Offer, boolean>>>;

/** The tools that every key may have, by their names. */
export const ownTools = [
  'search_startups',
  'get_startup',
  'summarize_startups',
  'read_market',
  'list_changes',
] as const;

/** The most tools of a key: agents read all of them with every question. */
export const MAX_TOOLS = 20;
/** The most characters of a tool's name that clients accept. */
export const TOOL_NAME_MAX = 64;

/** @throws OperatorError for a text that names no offer. */
export function requireOffer(name: string): Offer {
  if (!Object.hasOwn(offers, name)) {
    throw new OperatorError(`Offer: got ${quote(name)}, allowed: ${Object.keys(offers).join(' or ')}.`);
  }
  return name as Offer;
}

/** @throws OperatorError for an offer that the key cannot make. */
export function requireOffering(key: KeySummary, { feed = false, tool = false }: Offers): void {
  const isEmbed = isEmbedKey(key);
  throwIfAny([
    ...(feed && !isEmbed
      ? [
          `Key ${key.id} is a secret key: the address of a feed has the key in it, so only an embed key has feeds.`,
        ]
      : []),
    ...(tool && isEmbed
      ? [`Key ${key.id} is an embed key, with which agents cannot connect: only a secret key has tools.`]
      : []),
  ]);
}

/** @throws OperatorError if the tools of a key, by their names, are too many or have equal names. */
export function requireToolNames(keyId: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  throwIfAny([
    ...(twice === undefined ? [] : [`Key ${keyId} would have two tools with the name ${quote(twice)}.`]),
    ...(names.length > MAX_TOOLS
      ? [`Key ${keyId} would have ${names.length} tools, allowed: at most ${MAX_TOOLS}.`]
      : []),
  ]);
}

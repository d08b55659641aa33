/**
 * What a reader of faces can be asked of a picture: how many people are in it, whether there are any, where they are, how large, and,
 * where collections are searched, who they are. A question is answered only when every word of it, criteria included, is of the
 * vocabulary below and one of them is about people: a word that is not known here may ask for anything, and nothing is answered from
 * nothing. So age, gender, mood, looks, clothes and doings are refused, and so are questions in other languages than English.
 */
export interface AskedOfPictures {
  readonly instructions?: string | undefined;
  /** Names and descriptions of what may be answered. */
  readonly criteria: readonly string[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const PEOPLE = words(`
  crowd everybody everyone face faces group human humans individual individuals nobody people person persons portrait portraits
  anybody anyone somebody someone`);

/** Numbers, places, sizes, the picture itself, and the words that hold a sentence together. */
const PLAIN = words(`
  a an the this that these those it its there here is are was were be been isn't aren't does do doesn't don't can could has have
  in on at of to from with without within inside by for and or not no none neither any some all both each every only just exactly
  least most than as more less fewer over under above below between up down out how what which where whether if yes true false
  you i we our us they them their one's see sees seen visible shown show shows showing contain contains contained appear appears
  find found detect detected picture pictures image images photo photos photograph photographs frame shot
  zero one two three four five six seven eight nine ten eleven twelve first second third last many much several few single multiple
  couple pair alone empty present absent number count counts counted total amount
  left right top bottom upper lower middle center centre side corner half edge place placed position positioned located location
  large larger largest big bigger biggest small smaller smallest size height percent part takes fills`);

const IDENTITY = words(`
  who whom whose know known knows unknown recognise recognised recognises recognize recognized recognizes enrolled registered match
  matches matched matching same identity identified identify stranger strangers member members belong belongs name names named
  called label labelled reference collection collections he she him her his
  staff team employee employees colleague colleagues customer customers guest guests visitor visitors resident residents tenant
  tenants student students family`);

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;
const NUMBER = /^\p{N}+$/u;
const CAPITALISED = /^\p{Lu}/u;

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];
const plain = (word: string): string => word.toLowerCase().replace('’', "'");
const root = (word: string): string => plain(word).replace(/'s$/, '');
const isOf = (vocabulary: ReadonlySet<string>, word: string): boolean =>
  vocabulary.has(plain(word)) || vocabulary.has(root(word));

/** Whether reading faces can answer it; who somebody is, only when collections are searched. */
export function isAnswerableFromFaces({ instructions = '', criteria }: AskedOfPictures, searching: boolean): boolean {
  const asked = wordsOf(instructions);
  const options = criteria.flatMap(wordsOf);
  const all = [...asked, ...options];
  // The first word of a sentence is capitalised without being a name.
  const named = asked.slice(1).filter((word) => CAPITALISED.test(word) && !isOf(PLAIN, word));
  const identity = searching && (named.length > 0 || all.some((word) => isOf(IDENTITY, word)));
  const names = identity ? new Set([...named, ...options.filter((word) => CAPITALISED.test(word))]) : new Set();
  const about = all.some((word) => isOf(PEOPLE, word)) || identity;
  const understood = (word: string): boolean =>
    NUMBER.test(word) ||
    isOf(PLAIN, word) ||
    isOf(PEOPLE, word) ||
    (searching && isOf(IDENTITY, word)) ||
    names.has(word);
  return about && all.every(understood);
}

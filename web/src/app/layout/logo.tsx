/** The mark of the product: a Q of three quarters and one. public/favicon.svg is the same drawing. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path d="M23.4 15A7.9 7.9 0 1 0 15 23.4" className="stroke-on-accent" strokeWidth="3.4" />
      <path d="M18 18h7.1a7.1 7.1 0 0 1-7.1 7.1z" className="fill-on-accent" />
    </svg>
  )
}

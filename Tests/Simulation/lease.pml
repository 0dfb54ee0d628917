/* The lease and fence protocol of one download: claims, ends, files, the sweep, lost content.
 *
 * Two workers may pause or die between any two steps; a lease may end at any moment (a clock is no part of the
 * model); the sweep decides in three steps, as it does: it lists a file, reads the row, removes the file. What holds
 * in every state: content that the row names is there and whole, and no life of the download ends twice.
 *
 * `scripts/model` checks it, and that each of the mutants is caught (-DMUTANT=1 to 6).
 */
#ifndef MUTANT
#define MUTANT 0
#endif
#define FENCES 5    /* the highest fence; claims end there */
#define WORKERS 2

/* The row. */
byte fence = 0;         /* rises with each claim, release and retry */
bool leased = false;    /* running: the fence is that of its attempt */
byte kept = 0;          /* the fence of the part that a later attempt may continue; 0 for none */
bool done = false;      /* succeeded */
bool lost = false;      /* succeeded, and its content is lost */
byte content = 0;       /* the fence of the content, once it is done */
byte ends = 0;          /* how often this life of the download has ended */
bool retried = false;   /* it was lost and is fetched again; once is enough to be checked */

/* The files, by the fences in their names. */
bool part[FENCES + 1];
bool good[FENCES + 1];      /* what its writer takes for written is in the file */
bool published[FENCES + 1];

#if MUTANT == 3
#define NAME(f) 1           /* one name for the file of every attempt */
#else
#define NAME(f) f
#endif

#if MUTANT == 1
#define HOLDS (!done)       /* an end is recorded whatever the fence is */
#else
#define HOLDS (leased && fence == mine && !done)
#endif

/* Whether a row needs a file; FileOwner of Downloads. */
#if MUTANT == 2
#define NEEDED (done && !lost && file == content)
#elif MUTANT == 4
#define NEEDED (done -> (!lost && file == content && !isPart) : (file > fence || (isPart && file == kept)))
#else
#define NEEDED (done -> (!lost && file == content && !isPart) : (file >= fence || (isPart && file == kept)))
#endif

active [WORKERS] proctype worker()
{
    byte mine = 0, from = 0;
    do
    :: atomic {
        !done && !leased && fence < FENCES - 1 ->
            fence++; mine = fence; leased = true; from = kept
       };
       /* A part of an earlier attempt gets a new name, or there is an empty one. */
       atomic {
           if
           :: from > 0 && part[NAME(from)] ->
               good[NAME(mine)] = good[NAME(from)];
               part[NAME(from)] = false; part[NAME(mine)] = true
           :: from > 0 && !part[NAME(from)] ->
               part[NAME(mine)] = true;
               good[NAME(mine)] = (MUTANT != 5)    /* 5: goes on behind bytes that are not there */
           :: else -> part[NAME(mine)] = true; good[NAME(mine)] = true
           fi
       };
       do
       :: atomic { leased && fence == mine && !done -> kept = mine }   /* a checkpoint */
       :: break                             /* every byte is written and synced */
       :: true -> goto given_up             /* it dies, or notices that its lease is over */
       od;
       /* Renamed and synced, then named by the row. */
       atomic {
           if
           :: part[NAME(mine)] -> part[NAME(mine)] = false; published[NAME(mine)] = true
           :: else -> goto given_up
           fi
       };
       /* The answer of a commit may be lost: the statement is sent again. */
       do
       :: atomic {
           if
           :: HOLDS -> done = true; content = NAME(mine); ends++; leased = false; kept = 0
           :: else -> skip
           fi
          }
       :: break
       od;
given_up:
       mine = 0
    od
}

/* A lease is over, or a replica gives its work back. */
active proctype reaper()
{
    do
    :: atomic {
        leased && fence < FENCES ->
            leased = false;
            fence++
       }
    od
}

/* Files that no row needs, beside claims and runs. */
active proctype sweep()
{
    byte file;
    bool isPart, isOrphan;
    do
    :: select (file : 1 .. FENCES);
#if MUTANT == 6     /* the row is read before the file is listed */
       atomic { isPart = false; isOrphan = !(NEEDED) };
#endif
       if
       :: part[file] -> isPart = true
       :: published[file] -> isPart = false
       :: else -> goto next
       fi;
#if MUTANT != 6
       atomic { isOrphan = !(NEEDED) };
#endif
       if
       :: isOrphan && isPart -> part[file] = false
       :: isOrphan && !isPart -> published[file] = false
       :: else -> skip
       fi;
next:
       skip
    od
}

/* The replica with the content is gone; the content is fetched again. */
active proctype loss()
{
    atomic { done -> lost = true };
    atomic {
        fence < FENCES - 1 ->
            done = false; lost = false; content = 0; ends = 0; kept = 0; retried = true; fence++
    }
}

active proctype invariant()
{
    do
    :: d_step { (done && !lost && !(published[content] && good[content])) || ends > 1 -> assert(false) }
    od
}

package algorithms

import "bullyproof/ledger"

// Publications are works that the catalogue's sources name: those that have a digital object
// identifier that we know, and those by which claims are counted, of which a source belongs
// to the first that it names.
var Publications = []ledger.Publication{
	{
		Title: "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network",
		DOI:   "10.5815/ijitcs.2013.01.02", Short: "FCEABR, 2013", Also: []string{"FCEABR (IJITCS"},
	},
	{Title: "Improved Algorithms for Leader Election in Distributed Systems", Short: "Effatparvar et al., 2010"},
	{Title: "The Reduction of Number Messages in Election Bully Algorithm", Short: "Kabashi, Zeqiri and Zabeli"},
	{Title: "slides Co-ordinator Election Algorithms", Short: "Lecture slides after Coulouris et al."},
	{Title: "Wikipedia, Bully algorithm", Short: "Wikipedia, 2017"},
	{Title: "Elections in a Distributed Computing System", DOI: "10.1109/TC.1982.1675885", Short: "Garcia-Molina, 1982"},
	{Title: "Introduction to Distributed Algorithms", Short: "Tel, 2000"},
	{Title: "Dolev, Klawe and Rodeh 1982", Short: "Dolev, Klawe and Rodeh, 1982"},
	{Title: "Hirschberg and Sinclair 1980", Short: "Hirschberg and Sinclair, 1980"},
	{Title: "Franklin 1982", Short: "Franklin, 1982"},
	{Title: "Itai and Rodeh 19", Short: "Itai and Rodeh, 1981 and 1990"},
	{Title: "Peterson 1982", Short: "Peterson, 1982"},
	{
		Title: "An improved algorithm for decentralized extrema-finding in circular configurations of processes",
		DOI:   "10.1145/359104.359108", Short: "Chang and Roberts, 1979",
	},
	{Title: "Decentralized extrema-finding in circular configurations of processors", DOI: "10.1145/359024.359029"},
	{
		Title: "On an improved algorithm for decentralized extrema finding in circular configurations of processors",
		DOI:   "10.1145/358506.358517",
	},
	{Title: "An O(n log n) unidirectional algorithm for the circular extrema problem", DOI: "10.1145/69622.357194"},
	{
		Title: "An O(n log n) unidirectional distributed algorithm for extrema finding in a circle",
		DOI:   "10.1016/0196-6774(82)90023-2",
	},
	{Title: "Symmetry breaking in distributive networks", DOI: "10.1109/SFCS.1981.41"},
	{Title: "Symmetry breaking in distributed networks", DOI: "10.1016/0890-5401(90)90004-2"},
	{Title: "Leader election in anonymous rings: Franklin goes probabilistic", DOI: "10.1007/978-0-387-09680-3_4"},
	{
		Title: "Leader Election in Asynchronous Distributed Systems, IEEE Transactions on Computers",
		DOI:   "10.1109/12.841132", Short: "Stoller, 2000",
	},
	{Title: "Leader Election in Distributed Systems with Crash Failures", Short: "Stoller, 1997"},
	{Title: "Viewstamped Replication Revisited", Short: "Liskov and Cowling, 2012"},
	{
		Title: "Recovering Shared Objects Without Stable Storage", DOI: "10.4230/LIPIcs.DISC.2017.36",
		Short: "Michael et al., 2016 and 2017", Also: []string{"Providing Stable Storage for the Diskless Crash-Recovery Failure Model"},
	},
	{
		Title: "Enhanced Bully Algorithm for Leader Node Election in Synchronous Distributed Systems",
		DOI:   "10.3390/computers1010003", Short: "Murshed and Allen, 2012",
	},
}
